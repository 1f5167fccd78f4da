const words = (text: string): ReadonlyArray<string> => text.trim().split(/\s+/)
const phrases = (text: string): ReadonlyArray<string> => text.split(",").map((phrase) => phrase.trim())

/** Words of product talk that praise and that the lexicon lacks. */
export const praise = words(`
  accurate adaptable affordable agile ample beautifully best-in-class breathable breeze budget-friendly buttery
  cheap class-leading comfy compact consistent convenient cost-effective cozy crisp crystal-clear customisable customizable
  dependable economical effortless elegantly ergonomic exceptional fast feature-rich flexible forgiving future-proof
  frictionless generous gentle handy hassle-free high-end high-quality iconic ideal immersive inexpensive industry-leading
  intuitive lauded legendary lightweight light long-lasting loved low-maintenance luxurious maneuverable modern must-have nimble
  noise-free outshine performant pleasure plush polished praise praised precise
  productive proven punchy quick quiet readable reasonable recommend recommends recommendable refined
  renowned rugged sharp silent simple sleek smooth snappy soft speedy standout stand-out state-of-the-art stellar straightforward
  streamlined sturdy stylish supple thorough time-saving timeless top-notch top-rated top-tier transparent trustworthy
  unbeatable world-class unrivaled unrivalled upside user-friendly versatile well-built well-designed well-documented well-made
  well-priced well-regarded well-rounded well-supported well-thought-out
`)

/** Words of product talk that blame and that the lexicon lacks. */
export const blame = words(`
  barebones bare-bones breakage bug bugs buggy bulky bumpy cheaply clumsy clunky complicated confuse convoluted cramped
  cumbersome cluttered complaint dated deal-breaker dealbreaker dim discomfort discontinued
  disappoint disappoints disappointed disappointing disappointment downside downtime drab drawback dull
  error-prone exorbitant expensive fault faulty fiddly fined finicky flaky flaw flawed flimsy fragile friction freezes frustrate
  frustrating glitch glitchy grainy greasy half-baked headache hefty-priced hiccup ill-fitting inaccurate inconsistent inconvenient
  inferior inflexible insecure irritate janky laggy lacklustre lackluster lag lawsuit leak leaky letdown limitation low-quality
  malfunction mediocre messy misleading misses muddy overkill niggle noisy outage outdated overcomplicated overhyped overheat overpriced
  overrated painful patchy pitfall plague plagued plasticky poor-quality pricey prone pushy recall rattle regret rip-off rude rushed
  scratchy shoddy short-lived slow slowdown sluggish spotty stagnate stale stiff stingy stutter subpar sub-par tedious
  tinny underpowered underwhelming unhelpful unintuitive unpolished unpredictable unreliable unresponsive unrefined
  unwieldy upsell vague washed-out weakness wobbly workaround worrisome
`)

/**
 * Words the lexicon weighs although they say nothing of worth when products are described, or are everyday words of other
 * languages ("die" is German for "the").
 */
export const idle = words(`
  abilities ability accept accepted accepting accepts accident active admit adopt advanced adventure adventures
  affected agree agreed agreement alarm alert alive allow alone anti approval approved arrest asset assets attack authority
  axe backed backing backs ban bankruptcy barrier battle battles beating benefit benefits big blind block blockbuster blockbusters blocked blocking blocks
  bold bomb boost boosted boosting boosts brightness broke cancel cancelled cancelling cancels cancer capabilities
  capability care careful carefully cares certain challenge champion chance chances charge charged charges charisma clean
  cleaner clear cleared clearly clears combat comic commit commitment commits committed committing compelled competent
  contender contending cool crazy credit cut cuts cutting damage danger dark darkness dead death debt dedicated defender
  delay demand demanded demands desire desired detached determined discounted dream drop eligible emergency empty energy ensure
  ensures ensuring enable enables engage engages enjoy envy escape exclusive excluded expand expands exploring extend extends
  faith fan fans feeling feelings fight fire fit fitness focused forced free freedom fresh gain gained gaining gains game
  games gift gold god grand grant granted granting grants greater green greet
  growing growth guarantee guaranteed guarantees gun ha hard harm heart heaven help helping helps hero heroes hide highlight
  hope hopes hug humor hunger ignore importance important improve improved improvement improves improving increase increased
  inform informed innovation insane inspired integrity intense interest interested interests invite join joke jokes joy justice
  kill kind kinds king landmark lack launched leave legal like liked likes lively lost luck
  lucky luxury mandatory matter matters marvel mature meaningful mercy miss missed mistake mistakes motivate natural
  no novel obsessed offline opportunity optimism original pain parley pay peace peaceful pileup poison positive positively
  postpone power powering prepared pressure pretty prevent prevented preventing prevents privileged profit profits
  progress promise promised promises promote promoted promotes promoting prospect protect protected protects pure push
  quality quest questioned racing reach reached reaches reaching reassure refuse relaxed rescue resolution resolve restore
  reward rewards rich riot rise rises risk risks rob rose safety save saved saver savings scan scream secure secured secures
  security sentence serious settlement severe share shared shares shoot significance significant silver smart solution
  solutions solve solved solves solving spark sparkling spirit stall stop stopped stopping stops straight strengthen stress
  strict strike strikes struck success sunshine super support supported supporter supporters supporting supports sustainability
  sustainable survive survived sweet sword tears tender thank thanks threat threats tolerance tolerant top tops touted treasure
  treatment true unclear united unified validate validated vested vision visions vitality vitamin want war warm
  warmth warning warnings warn warns warranty wealth welcome willingness win wins wish wishes withdrawal won yes
  critical critic critics curious deal deals determine fees killer kills legend mixed
  pick picks pride prize proud relief shy sick smiling surprise tension tried trick waste well-being worn
  accidental crush crusher crushing creatives furious lighting lightest lover loyal murder murderer number passive rapture rash redeemed
  relieving restored rotten slick striker strikers swift urgent
  easily hugely surprisingly ridiculously insanely incredibly amazingly awfully terribly seriously
  die sin tout dire verdict verdicts grave hell fraud theft stolen criminal
`)

/** Stretches of words that praise. */
export const praisePhrases = phrases(`
  hard to beat,tough to beat,difficult to beat,hard to fault,difficult to fault,easy to,ease of use,ease of,a breeze,
  top pick,top choice,top recommendation,top notch,top of the line,top rated,top spot,first choice,go to choice,
  good value,great value,excellent value,best value,value for money,worth the money,worth the price,worth every penny,worth a look,
  worth considering,built to last,stands out,stand out,stood out,lives up to,live up to,pleasure to use,joy to use,joy to,
  does the job,gets the job done,money well spent,saves time,save time,saves money,save money,saves hours,pays for itself,second to none,
  ahead of the pack,clean interface,clean design,up to date,start with,go with,go for,opt for,rich sound,rich features,
  low price,low prices,lower price,low cost,fair price,fair prices,fair pricing,well made,well built,well designed,well supported,
  well reviewed,well liked,well loved,well priced,well rounded,easy on the eyes,best overall,no brainer,won the award,wins awards,
  gold standard,market leader,industry leader,great fit,good fit,clear winner,the winner,holds up,hold up,long battery life,
  long lasting,highly rated,highly regarded,rave reviews,glowing reviews,fan favourite,fan favorite,crowd pleaser,safe bet,safe choice,
  good reputation,strong reputation,won awards,great deal,good deal,award winning,time saver,rock solid,can't go wrong,hard to go wrong,
  cannot go wrong,can not go wrong,nice touch,peace of mind,just works,high quality,dirt cheap,
  leaves nothing to be desired,left nothing to be desired,punches above,more for less,wins hands down,comes first,comes out on top,
  saved us hours,saved me hours,saves us hours,saves you hours,saves me time,saves you time,saves us time,saved us time,saved me time,
  saves you money,saved us money,saved me money,difficult to find fault,hard to find fault,best of the bunch,best of the lot,
  best of the two,best of the three,a lot to like,lots to like,plenty to like,much to like,a lot to love,much to love
`)

/** Stretches of words that blame. */
export const blamePhrases = phrases(`
  learning curve,steep learning curve,hidden fee,hidden fees,hidden charges,hidden cost,hidden costs,extra cost,extra costs,
  poor value,go wrong,goes wrong,went wrong,hard to find,hard to use,hard to learn,hard to set up,hard to clean,hard to read,hard to justify,
  hard to recommend,hard to reach,difficult to use,difficult to set up,difficult to clean,difficult to learn,nothing special,nothing to write home about,
  leaves much to be desired,leaves a lot to be desired,wears out,wear out,worn out,break down,breaks down,breaks easily,break easily,break often,
  breaks often,falls apart,fall apart,fell apart,feels cheap,feel cheap,cheap plastic,cheaply made,runs small,run small,runs hot,high price,
  high prices,high cost,too many ads,too expensive,lets you down,let you down,lets down,let down,comes at a cost,
  comes at a price,steer clear,stay away,think twice,be careful,look elsewhere,room for improvement,data breach,data breaches,
  drains the battery,drains fast,drains quickly,battery drain,washed out,rip off,a mixed bag,out of date,behind the times,
  poorly reviewed,bad press,under fire,struggles with,customer complaints,
  waste of money,waste of time,don't waste your,do not waste your,don't buy,do not buy,never buy,doesn't work,does not work,didn't work,
  stopped working,stops working,under investigation,a fraud,low quality,out of business,filed for bankruptcy,
  die quickly,die fast,false advertising,quality control issues,scratches easily,stains easily,short battery life,class action,
  could be better,falls short,fall short,fell short,falls short of expectations,fell short of expectations,let me down,let us down,less for more,
  comes last,finishes last,dead last,too heavy,too big,too small,too large,too tight,too loud,too weak,too thin,too thick,too hot,too short,too narrow,
  difficult to recommend,tough to recommend,difficult to justify,tough to justify,don't bother,do not bother,comes in last,
  feel overwhelming,feels overwhelming,be overwhelming,is overwhelming,takes forever,take forever,hit or miss,cost a fortune,costs a fortune,
  break the bank,breaks the bank,
  too complex,too technical,too basic,too limited,too high,too low,too hard,too soft,too long
`)

/** Stretches of words that hold a cue and still say nothing. */
export const idlePhrases = phrases(`
  worth noting,worth mentioning,worth knowing,worth remembering,worth checking,might be worth,good luck,best buy,best known,best practices,best practice,
  best suited,best for,best of,free trial,free of charge,hard drive,hard drives,hard disk,hard shell,kind of,sort of,pretty much,
  as well as,as well,at best,do your best,the best way,best way,important to,light mode,light sensor,light bulb,light bulbs,red light,blue light,
  natural light,soft drinks,soft drink,soft launch,sharp corner,fast food,fast fashion,quick start,quick question,sensitive skin,
  dry skin,risk assessment,trust center,trust account,no matter,no doubt,no wonder,error messages,error message,bug reports,bug report,
  bug bounty,issue tracking,error tracking,pain relief,pain points,noise cancelling,noise canceling,simple interest,fair trade,
  poor credit,bad credit,good credit,excellent credit,bad weather,rich text,smart home,smart plugs,quiet hours,slow cooker,slow cookers,
  who suffer from,who suffers from,who struggle with,who struggles with,hard to find a better,difficult to find a better,
  hard pressed to find a better,hard-pressed to find a better,struggle to find a better,
  hard to find better,difficult to find better,fast charger,fast lane,stiff competition,strong smell,light roast,dull skin,modern history,compact discs,silent auction,error code,could be better than,to be honest
`)

/** Verbs and phrases that set their subject above (first) or below (second) what follows them. */
export const above = phrases(`
  beats,beat,outperforms,outperform,outperformed,outlasts,outlast,outlasted,outshines,outshine,outclasses,surpasses,surpass,surpassed,
  exceeds,trumps,trounces,edges out,edged out,superior to,ahead of,a step up from,a step above,step up from,preferable to,match,matches,
  compete with,competes with,compare to,measure up to,measures up to,wins over,overtakes,overtook,outranks,outsells,outscores,
  outscored,outruns,eclipses
`)
export const below = phrases(`
  lags behind,lag behind,lagged behind,lags,trails behind,trails,trailed,falls behind,fall behind,falls short of,fall short of,fell short of,
  loses to,lost to,loses out to,pales next to,pales beside,pales in comparison to,pales in comparison with,pales compared to,inferior to,
  no match for,a step down from,step down from,beaten by,outperformed by,surpassed by,outclassed by,eclipsed by,
  overtaken by,outshone by,outranked by,edged out by
`)
