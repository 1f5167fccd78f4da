interface Phrases {
  /** How a denial ends just before the name. */
  readonly before?: RegExp
  /** How a denial begins just after the name. */
  readonly after?: RegExp
}

// Texts arrive folded: no accents, no capitals, й as и. One entry per language, most common phrasings only.
const languages: Readonly<Record<string, Phrases>> = {
  german: {
    before:
      /(?:\bnichts|\bkeine?[nr]?\s+(?:\S+\s+){0,2}(?:informationen|angaben|daten|hinweise?|ergebnisse|treffer|erwahnung(?:en)?))\s+(?:uber|zu[rm]?|von|fur)\s+(?:die marke\s+|das unternehmen\s+)?["'„“»]?$/u,
    after:
      /^["'“«]?\s+(?:ist mir (?:leider )?(?:nicht bekannt|unbekannt|kein begriff)|(?:wird|wurde) (?:\S+ )?nicht (?:erwahnt|genannt|aufgefuhrt|gefunden)|taucht (?:\S+ ){0,2}nicht auf|kommt (?:\S+ ){0,3}nicht vor|kenne ich (?:leider )?nicht|konnte ich (?:leider )?nicht finden|(?:leider )?nicht finden)/u
  },
  french: {
    before:
      /(?:\brien (?:trouve|vu)|\baucune?s? (?:information|mention|donnee|resultat|trace)s?|\bpas (?:pu )?trouver? (?:d['’ ]?informations?|de (?:mention|resultat|trace)s?)|\bconnais pas|\bjamais entendu parler)\s*(?:sur|de|d['’]|concernant|a propos de|pour|au sujet de)?\s*(?:la marque\s+|l['’]entreprise\s+)?["'«“]?\s?$/u,
    after:
      /^\s?["'»”]?\s+(?:n['’](?:est pas (?:mentionne|cite|repertorie|liste|connu)|apparait pas)|ne (?:figure|fait) pas|m['’]est inconnue?)/u
  },
  spanish: {
    before:
      /\bno (?:(?:\S+\s+){0,2}(?:encontr\S+|encuentro|hay|tengo|dispongo de|existe)\s+(?:nada|(?:ninguna?\s+)?(?:informacion|mencion(?:es)?|datos|resultados|referencias?))(?:\s+\S+)?\s+(?:sobre|de|acerca de|para|relacionad[oa]s? con)|conozco(?: la marca| la empresa| a)?|estoy familiarizad[oa] con)\s+(?:la marca\s+)?["'«“]?$/u,
    after: /^["'»”]?\s+no (?:aparece|figura|se menciona|esta (?:incluid|listad|mencionad))/u
  },
  portuguese: {
    before:
      /\bnao (?:(?:\S+\s+){0,2}(?:encontr\S+|ha|tenho|existe)\s+(?:nada|(?:nenhuma?\s+)?(?:informac(?:ao|oes)|menc(?:ao|oes)|dados|resultados?|referencias?))(?:\s+\S+)?\s+(?:sobre|de|a respeito de|para)|conheco(?: a marca| a empresa)?|estou familiarizad[oa] com)\s+(?:a\s+)?(?:marca\s+)?["'«“]?$/u,
    after: /^["'»”]?\s+nao (?:aparece|figura|consta|e mencionad|esta (?:incluid|listad))/u
  },
  italian: {
    before:
      /(?:\bnon (?:ho trovato|trovo|ci sono|dispongo di|ho)\s+(?:nulla|niente|(?:alcuna?\s+)?(?:informazion[ei]|menzion[ei]|dati|risultati))\s+(?:su|di|riguardo a|per)|\bnon conosco|\bnessuna (?:informazione|menzione)\s+(?:su|di))\s+(?:il marchio\s+)?["'«“]?$/u,
    after: /^["'»”]?\s+non (?:compare|figura|appare|e (?:menzionat|elencat|inclus))/u
  },
  dutch: {
    before: /(?:\bniets (?:gevonden )?over|\bgeen informatie (?:gevonden )?over|\bniet bekend met)\s+["'“]?$/u,
    after: /^["'”]?\s+(?:wordt niet genoemd|staat niet|komt niet voor|is mij niet bekend)/u
  },
  russian: {
    before:
      /(?:\sне|^не)\s+(?:удалось\s+наити|смог(?:ла)?\s+наити|наш[её]л|нашла|нашлось|знаю|знаком[аы]?|слышал[аи]?)(?:\s+(?:никакои|информации|данных|сведении|упоминании|ничего|компанию|бренд))*(?:\s+(?:о|об|про|по|с))?\s+[«"]?$|нет\s+(?:никакои\s+)?(?:информации|данных|сведении|упоминании)\s+(?:о|об|про|по)\s+(?:бренде\s+|компании\s+)?[«"]?$/u,
    after: /^[»"]?\s+не\s+(?:упоминается|входит|наиден[ао]?|встречается|фигурирует)/u
  },
  arabic: {
    before:
      /(?:لم\s+(?:اجد|اعثر|اتمكن)|لا\s+(?:توجد|يوجد|املك|اعرف)|ليس\s+لدي)(?:\s+\S+){0,4}?\s+(?:عن|حول|بشان|على)\s+["«“]?$/u
  },
  chinese: {
    before:
      /(?:没有?找到|未找到|找不到|未能找到|不了解|不熟悉|不知道|没有?听说过|没有(?:任何)?(?=关于|有关))(?:任何)?(?:关于|有关|与)?[“"「《\s]*$/u,
    after: /^[”"」》\s]*(?:(?:并?没有|未|并未|不)(?:被)?(?:出现|提及|上榜|列入|在列)|的?(?:相关)?信息(?:未|没有|不))/u
  },
  japanese: {
    after:
      /^[」』”"\s]*(?:(?:について|に関する|という).{0,24}(?:見つかりません|ありません|存じません|わかりません|分かりません|見つけられません|確認できません)|は.{0,16}(?:見つかりません|含まれていません|記載されていません|掲載されていません))/u
  },
  korean: {
    after: /^["'”’\s]*(?:에\s?대한|에\s?관한|(?:이)?라는).{0,24}(?:찾을 수 없|찾지 못|없습니다|알지 못)/u
  }
}

const phrases = Object.values(languages)

// Every phrase above holds one of these, so most clauses are let go at once.
const denial =
  /nicht|kein|unbekannt|\brien\b|aucun|\bpas\b|jamais|inconnu|\bno\b|\bnao\b|\bnon\b|nessun|\bniet|\bgeen\b|не|لم|لا|ليس|没|未|不|找|ません|없|못/u

/** Whether the clause denies what it names in a language other than English; both sides are folded text. */
export const isAbsentElsewhere = (before: string, after: string): boolean =>
  (denial.test(before) || denial.test(after)) &&
  phrases.some((phrase) => phrase.before?.test(before) === true || phrase.after?.test(after) === true)
