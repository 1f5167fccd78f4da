/**
 * The query parameters that only tell a site's owner where a visitor came from, by name in lower case.
 *
 * Choice: only names that trackers keep to themselves, on every site. What is a tracker on one site and an argument on
 * the next (`ref`, `source`, `si`, `spm`, `tag`) is kept: a lost argument names another page.
 */
const names = new Set(
  [
    // Clicks on advertisements: Google, Microsoft, Meta, X, TikTok, LinkedIn, Pinterest, Reddit, Snap, Yandex, Adobe, Impact, Awin.
    "gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid srsltid _gl _ga msclkid fbclid fb_action_ids fb_action_types",
    "twclid ttclid li_fat_id epik rdt_cid sccid yclid ysclid s_kwcid ef_id irclickid irgwc zanpid",
    // Shares and returns: Instagram, X, Branch, Yahoo.
    "igsh igshid __twitter_impression _branch_match_id _branch_referrer guccounter guce_referrer guce_referrer_sig",
    // Letters: Mailchimp, HubSpot, Marketo, Olytics, Vero, Drip, Eloqua, Klaviyo, MailerLite, Bronto, dotdigital.
    "mc_cid mc_eid _hsenc _hsmi __hssc __hstc __hsfp hsctatracking mkt_tok oly_enc_id oly_anon_id vero_id vero_conv __s",
    "elq elqaid elqat elqcampaignid elqtrack elqtrackid _kx ml_subscriber ml_subscriber_hash _bta_tid _bta_c dm_i",
    // Campaigns, as publishers and shop systems count them.
    "cmpid mbid ncid wickedid _openstat"
  ].flatMap((line) => line.split(" "))
)

/** Families of names: Google's, Matomo's and HubSpot's as a whole. Families whose prefix others use too are listed member by member. */
const families =
  /^(?:(?:utm|hsa|mtm|matomo|piwik)_.+|itm_(?:source|medium|term|campaign|content|channel|audience)(?:_s)?|int_(?:source|medium|campaign|content|cmp_\w+)|pk_(?:campaign|cpn|source|medium|keyword|kwd|content|cid)|ga_(?:source|medium|term|content|campaign|place)|at_(?:medium|campaign|custom\d))$/

const unescapedText = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Whether a `name=value` of a query only says where a visitor came from, however its name is written. */
export const isTracking = (pair: string): boolean => {
  const [written = ""] = pair.split("=", 1)
  const name = unescapedText(written).toLowerCase()
  return names.has(name) || families.test(name)
}
