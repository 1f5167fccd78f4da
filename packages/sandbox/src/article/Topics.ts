/**
 * What the simulated engines know about one kind of product.
 *
 * Shape: `brands` are in order of fame, best known first; `traits` are noun phrases that fit after "its" and "with";
 * `buyers` fit after "for".
 */
export interface Topic {
  readonly noun: string
  readonly words: RegExp
  readonly brands: ReadonlyArray<string>
  readonly traits: ReadonlyArray<string>
  readonly buyers: ReadonlyArray<string>
}

const topic = (noun: string, words: RegExp, brands: string, traits: string, buyers: string): Topic => ({
  noun,
  words,
  brands: brands.split(", "),
  traits: traits.split(", "),
  buyers: buyers.split(", ")
})

/** The topics with well-known brands, so that questions about them name brands that customers know. */
export const topics: ReadonlyArray<Topic> = [
  topic(
    "running shoes",
    /\b(running|runners?|jogging|marathon|trail|sneakers?|trainers?)\b/i,
    "Nike, Adidas, Brooks, Hoka, Asics, New Balance, Saucony, Puma, Mizuno, Altra, Under Armour, Salomon",
    "responsive cushioning, low weight, wide sizing, durable outsoles, secure heel fit, breathable uppers, wet grip",
    "beginners, marathon training, wide feet, easy daily miles, trail runs, heavier runners"
  ),
  topic(
    "CRM software",
    /\b(crm|customer relationship|sales pipeline|sales software)\b/i,
    "HubSpot, Salesforce, Pipedrive, Zoho CRM, Freshsales, monday CRM, Insightly, Nimble, Keap, Attio, Capsule, SugarCRM",
    "visual pipelines, free entry plan, deep reporting, email sync, simple onboarding, workflow automation, fair seat pricing",
    "startups, small sales teams, agencies, enterprise rollouts, founders who sell themselves, remote teams"
  ),
  topic(
    "project management software",
    /\b(project|task|to-?do|kanban|gantt|team ?work|productivity|collaboration)s?\b/i,
    "Asana, Trello, Jira, ClickUp, Notion, monday.com, Basecamp, Wrike, Smartsheet, Todoist, Airtable, Teamwork",
    "visual boards, timeline views, generous free plan, client guests, built-in time tracking, calm interface, integrations",
    "design agencies, software teams, freelancers, marketing departments, nonprofits, teams new to planning"
  ),
  topic(
    "headphones",
    /\b(headphones?|earbuds?|headsets?|earphones?|noise.?cancell?ing)\b/i,
    "Sony, Bose, Sennheiser, Apple, JBL, Beyerdynamic, Audio-Technica, Bang & Olufsen, Soundcore, Jabra, AKG, Bowers & Wilkins",
    "noise cancelling, balanced sound, long battery life, comfortable earpads, clear calls, folding design, low latency",
    "commuters, frequent flyers, studio work, the gym, gaming, people who wear glasses"
  ),
  topic(
    "laptops",
    /\b(laptops?|notebooks?|ultrabooks?|macbooks?|chromebooks?)\b/i,
    "Apple, Dell, Lenovo, HP, ASUS, Acer, Microsoft, Framework, Razer, MSI, Samsung, LG",
    "all-day battery life, bright display, quiet cooling, sturdy keyboard, low weight, upgradable parts, sharp webcam",
    "students, programmers, video editing, travel, gaming, small offices"
  ),
  topic(
    "email marketing tools",
    /\b(e-?mail|newsletters?|mailing)\b/i,
    "Mailchimp, Klaviyo, Brevo, ActiveCampaign, MailerLite, Constant Contact, GetResponse, Campaign Monitor, Omnisend, AWeber",
    "drag-and-drop editor, solid deliverability, store integrations, automation recipes, clear reports, fair contact pricing",
    "online shops, creators, charities, agencies, small lists, B2B newsletters"
  ),
  topic(
    "airlines",
    /\b(airlines?|flights?|fly(ing)?|business class|carriers?)\b/i,
    "Delta, United Airlines, Emirates, Qatar Airways, Singapore Airlines, British Airways, Lufthansa, Air Canada, Qantas, KLM, JetBlue",
    "punctual departures, roomy seats, attentive crews, good meals, fair rebooking rules, useful loyalty programme",
    "long-haul trips, families, business travel, tight budgets, last-minute bookings"
  ),
  topic(
    "banks",
    /\b(banks?|banking|current account|checking account|savings?)\b/i,
    "Chase, HSBC, Barclays, Monzo, Revolut, Starling Bank, Ally Bank, Capital One, Wells Fargo, ING, Lloyds, N26",
    "low fees, clear mobile app, instant notifications, large branch network, fair exchange rates, quick support",
    "students, freelancers, travellers, savers, small businesses, new arrivals"
  ),
  topic(
    "coffee machines",
    /\b(espresso|coffee (machine|maker|grinder)s?|cappuccino)\b/i,
    "De’Longhi, Breville, Nespresso, Gaggia, Jura, Philips, Rancilio, Keurig, Siemens, Krups, Smeg, Lelit",
    "steady temperature, quick warm-up, easy cleaning, quiet grinder, small footprint, rich crema, spare parts",
    "beginners, small kitchens, offices, milk drinks, espresso enthusiasts"
  ),
  topic(
    "coffee beans",
    /\b(coffees?|roast(ers?|s)?|beans)\b/i,
    "Lavazza, illy, Blue Bottle, Stumptown, Intelligentsia, Counter Culture, Peet’s, Starbucks, Segafredo, Café Bustelo, Onyx Coffee Lab",
    "fresh roast dates, balanced sweetness, low acidity, fair-trade sourcing, resealable bags, chocolate notes",
    "espresso, filter brewing, cold brew, offices, dark-roast drinkers"
  ),
  topic(
    "skincare brands",
    /\b(skin ?care|moisturi[sz]ers?|serums?|sunscreens?|retinol|cleansers?|acne)\b/i,
    "CeraVe, La Roche-Posay, The Ordinary, Neutrogena, Cetaphil, Paula’s Choice, Kiehl’s, Clinique, Eucerin, Avène, Olay, Estée Lauder",
    "gentle formulas, fragrance-free range, ceramides, fair prices, light texture, dermatologist backing",
    "sensitive skin, dry skin, oily skin, beginners, mature skin, winter routines"
  ),
  topic(
    "insurance providers",
    /\b(insurance|insurers?|insure|coverage)\b/i,
    "Geico, Progressive, State Farm, Allstate, Lemonade, Aviva, AXA, Allianz, Admiral, Liberty Mutual, USAA, Direct Line",
    "quick claims, clear policy wording, bundle discounts, helpful app, low excess options, local agents",
    "new drivers, renters, families, landlords, frequent travellers, small businesses"
  ),
  topic(
    "smartphones",
    /\b(smart ?phones?|phones?|android|iphones?)\b/i,
    "Apple, Samsung, Google Pixel, OnePlus, Xiaomi, Motorola, Fairphone, Honor, Oppo, Nokia, Sony",
    "steady camera, long updates, bright screen, quick charging, repairable design, compact size",
    "photographers, seniors, students, gaming, tight budgets, small hands"
  ),
  topic(
    "VPN services",
    /\bvpns?\b/i,
    "NordVPN, ExpressVPN, Surfshark, Proton VPN, Mullvad, Private Internet Access, CyberGhost, Windscribe, TunnelBear, IVPN",
    "audited no-logs policy, steady speeds, simple apps, many locations, anonymous sign-up, router support",
    "streaming, travel, journalists, families, public Wi-Fi"
  ),
  topic(
    "hotel booking sites",
    /\b(hotels?|hostels?|accommodation|places to stay|travel (site|agenc|booking))/i,
    "Booking.com, Expedia, Airbnb, Agoda, Hotels.com, Trivago, Kayak, Tripadvisor, Hostelworld, Vrbo",
    "free cancellation, honest reviews, loyalty discounts, price alerts, large inventory, late check-in filters",
    "city breaks, families, business trips, backpackers, long stays"
  ),
  topic(
    "electric cars",
    /\b(electric (cars?|vehicles?|suvs?)|evs?)\b/i,
    "Tesla, BYD, Hyundai, Kia, BMW, Volkswagen, Polestar, Ford, Volvo, Rivian, Renault, Mercedes-Benz",
    "long range, fast charging, roomy cabin, efficient motors, calm ride, strong resale value",
    "families, commuters, road trips, first-time EV owners, city driving"
  ),
  topic(
    "website builders",
    /\b(website|web ?sites?|online (shop|store)|e-?commerce|landing page)s?\b/i,
    "Shopify, Wix, Squarespace, WordPress.com, Webflow, GoDaddy, Weebly, Framer, Hostinger, Duda",
    "tidy templates, built-in payments, search-engine controls, easy editing, fair transaction fees, fast pages",
    "small shops, photographers, restaurants, agencies, first websites"
  ),
  topic(
    "accounting software",
    /\b(accounting|bookkeeping|invoic(e|es|ing)|payroll)\b/i,
    "QuickBooks, Xero, FreshBooks, Sage, Zoho Books, NetSuite, FreeAgent, Kashoo, Odoo, Bench",
    "bank feeds, clean invoices, tax reports, receipt capture, accountant access, simple pricing",
    "freelancers, small companies, contractors, growing teams, charities"
  )
]

/** What is said about products without a topic of their own. */
export const generic = {
  traits: "fair pricing, reliable quality, helpful support, simple set-up, thoughtful design, long warranty".split(
    ", "
  ),
  buyers: "beginners, families, small teams, demanding users, tight budgets, gifts".split(", ")
}
