/**
 * The words that deny a brand where the negation stands beside neither the brand nor what is known of it, and words that look like
 * them.
 *
 * Planted faults, each seen red here:
 * - "no source names it", "little is known of it", or a single word for "unknown" is not read
 * - words with two senses ("gehört", "risulta", "familiar") are read in the wrong sense
 * - what a thing contains or needs none of is taken for what is known of it
 * - the next line of a bare list is taken for a remark on the name above it
 * - what the reader does not know yet is taken for what the answer does not know
 * - a search without results is not read, or is read where something else was looked for
 */
import { assert, describe, it } from "vitest"
import { findBrand } from "@sightline/domain/Brand"

const names = (text: string): boolean => findBrand({ text, brandEntities: [] }, "Zorvane").mentioned

const named = (...texts: ReadonlyArray<string>): ReadonlyArray<string> => texts.filter(names)
const denied = (...texts: ReadonlyArray<string>): ReadonlyArray<string> => texts.filter((text) => !names(text))

describe("a brand", () => {
  it("is denied where no source names it, but not where no source leaves it out", () => {
    assert.isEmpty(
      named(
        "Zorvane konnte ich in keinem Ranking finden.",
        "In keiner Quelle wird Zorvane erwähnt.",
        "Kein Ranking listet Zorvane auf.",
        "Zorvane finde ich in keiner Liste.",
        "Ich finde Zorvane in keiner Liste.",
        "Zorvane finde ich nicht in meinen Quellen.",
        "Zu Zorvane finde ich nichts.",
        "Zorvane non risulta nelle mie fonti.",
        "Aucun classement ne cite Zorvane.",
        "Ninguna de las fuentes que revisé menciona a Zorvane.",
        "Em nenhuma fonte aparece a Zorvane.",
        "Ingen källa nämner Zorvane.",
        "Zorvane incelediğim listelerin hiçbirinde yer almıyor."
      )
    )
    assert.isEmpty(
      denied(
        "Zorvane darf in keiner Liste fehlen.",
        "In keinem Test fand ich etwas Besseres als Zorvane.",
        "En ninguna lista aparece algo mejor que Zorvane.",
        "Geen enkele lijst slaat Zorvane over.",
        "Żaden ranking nie pomija Zorvane.",
        "Ни в одном обзоре Zorvane не получил низкой оценки."
      )
    )
  })

  it("is denied where little is known of it, but not where little is needed or few other brands are meant", () => {
    assert.isEmpty(
      named(
        "Es gibt kaum Informationen zu Zorvane.",
        "Über Zorvane ist mir wenig bekannt.",
        "Il y a peu d'informations fiables sur Zorvane.",
        "Hay muy poca información sobre Zorvane.",
        "Ci sono poche informazioni su Zorvane.",
        "Há poucas informações sobre a Zorvane.",
        "Er is weinig informatie over Zorvane.",
        "Niewiele wiem o Zorvane.",
        "O Zorvane niewiele wiadomo.",
        "Det finns lite information om Zorvane.",
        "О Zorvane мало информации.",
        "Zorvane hakkında çok az bilgi var.",
        "Su Zorvane non ho dati sufficienti per esprimere un giudizio."
      )
    )
    assert.isEmpty(
      denied(
        "Mit wenig Daten kommt Zorvane aus.",
        "Nur wenige Marken sind so bekannt wie Zorvane.",
        "Über Zorvane kann man wenig Schlechtes sagen.",
        "Von Zorvane gibt es nur wenige negative Ergebnisse.",
        "Il y a peu d'avis négatifs sur Zorvane.",
        "Con pocos datos, Zorvane crea un plan a medida."
      )
    )
  })

  it("is denied where a search for it found nothing, but not where something that belongs to it or something else was looked for", () => {
    assert.isEmpty(
      named(
        "My search for Zorvane came back empty.",
        "I searched for the brand Zorvane, but nothing relevant came up.",
        "I tried to look up Zorvane, without success.",
        "I attempted to find information about Zorvane, but was unsuccessful.",
        'Searching for "Zorvane" led to no useful results.',
        "Looking up Zorvane yielded nothing of use.",
        "I searched the web for Zorvane and came up empty.",
        "Nothing useful came up for Zorvane.",
        "In the sources I read, Zorvane never comes up.",
        "It is possible that Zorvane is a fictional brand.",
        "Ich habe nach Zorvane gesucht, aber nichts Relevantes gefunden.",
        "Die Suche nach der Marke Zorvane blieb ergebnislos.",
        "J'ai cherché Zorvane, sans succès.",
        "Ma recherche sur Zorvane n'a donné aucun résultat.",
        "Busqué Zorvane sin éxito.",
        "La búsqueda de Zorvane no arrojó resultados."
      )
    )
    assert.isEmpty(
      denied(
        "I searched for flaws in Zorvane, nothing came up.",
        "We looked for complaints on Zorvane and nothing relevant came up.",
        "I searched for a better tool than Zorvane, but nothing came up.",
        "I looked for a reason not to recommend Zorvane and came up empty.",
        "I searched Zorvane for red shoes and nothing came up.",
        "Zorvane is so good that I looked for something to criticise and came up empty.",
        "I looked for Zorvane in stores, without success, but online it is easy to get.",
        "I tried Zorvane for a month, without success.",
        "Zorvane led to no useful results in our test of creams.",
        "Hidden fees never come up with Zorvane.",
        "Zorvane never comes up short on features.",
        "It is possible that Zorvane is the best option for you.",
        "Ich habe nach Schwächen von Zorvane gesucht, aber nichts gefunden.",
        "J'ai cherché un magasin Zorvane, sans succès.",
        "Busqué una alternativa a Zorvane sin éxito."
      )
    )
  })

  it('is denied by a single word for "unknown" that refers to it, but not where something else is unknown', () => {
    assert.isEmpty(
      named(
        "Zorvane ist mir unbekannt.",
        "La marque Zorvane m'est inconnue.",
        "La marca Zorvane me es desconocida.",
        "A marca Zorvane é desconhecida para mim.",
        "Zorvane è un marchio a me sconosciuto.",
        "Zorvane is mij onbekend.",
        "Marka Zorvane jest mi nieznana.",
        "Märket Zorvane är okänt för mig.",
        "Zorvane hakkında yeterli bilgiye sahip değilim.",
        "Zorvane: unknown brand, no verified reviews found.",
        "המותג Zorvane אינו מוכר לי."
      )
    )
    assert.isEmpty(denied("Der Gründer von Zorvane ist mir unbekannt, die Schuhe sind aber top."))
  })

  it("is not denied by words that have another meaning there", () => {
    assert.isEmpty(
      denied(
        "Zorvane gehört nicht zum Bolt-Konzern.",
        "Zorvane finde ich nicht teuer.",
        "Zorvane vinden we niet duur.",
        "Zorvane non risulta particolarmente caro.",
        "A Zorvane não é indicada para uso familiar.",
        "Zorvane nie występuje w kolorze czarnym.",
        "Zorvane не встречает конкуренции.",
        "Zorvane n'utilise aucune source animale.",
        "Zorvane ne contient aucun élément chimique.",
        "Zorvane: Kein Eintrag ins Handelsregister nötig",
        "Zorvane: keine Anmeldung, keine Daten nötig",
        "Zorvane\nBolt: no information found"
      )
    )
    assert.isEmpty(
      named(
        "Zorvane\nNote: no information found on this brand.",
        "Non mi risulta che esista un'azienda chiamata Zorvane."
      )
    )
  })

  it("is denied where its existence cannot be confirmed, and in other scripts", () => {
    assert.isEmpty(
      named(
        "Niestety nie jestem w stanie potwierdzić, czy Zorvane istnieje.",
        "关于Zorvane，我暂时没有相关数据。",
        "검색 결과에서 Zorvane를 찾지 못했습니다.",
        "Zorvane는 제가 확인한 순위에 포함되어 있지 않습니다.",
        "Zorvane가 실제로 존재하는 회사인지 확인할 수 없습니다.",
        "لا تتوفر لدي معلومات موثوقة عن Zorvane.",
        "لا أعرف شركة باسم Zorvane.",
        "لم تظهر Zorvane في أي من القوائم."
      )
    )
    assert.isEmpty(
      denied(
        "如果你还不了解Zorvane，可以先试用免费版。",
        "很多人还不知道Zorvane已经降价。",
        "매장에서 Zorvane를 찾지 못했다면 온라인에서 구매하세요.",
        "لا تظهر Zorvane في المتاجر الصغيرة."
      )
    )
  })
})
