const words = (text: string): ReadonlyArray<string> => text.trim().split(/\s+/)
const phrases = (text: string): ReadonlyArray<string> => text.split(",").map((phrase) => phrase.trim())

/** Words that praise products and are missing from the lexicon. */
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
  efficient scalable feature-packed cutting-edge engaging unparalleled reputable bulletproof battle-tested formidable compelling
  enticing adept hard-wearing long-lived resilient attentive knowledgeable top-selling best-selling bestselling bestseller
  phenomenal ingenious roomy tasty flavorful flavourful well-crafted well-thought-of peerless matchless first-rate first-class
  five-star gorgeous invaluable indispensable satisfying high-performance high-performing approachable no-nonsense must-try
  must-buy must-see prestigious premier authoritative meticulous exemplary admirable commendable go-to game-changer game-changing
  powerhouse workhorse excels excelled shines wows best-of-breed lifesaver all-rounder front-runner frontrunner crowd-pleaser
  mainstay uncluttered enviable craftsmanship rave raves raved unfussy fuss-free foolproof well-balanced well-cushioned
  well-equipped well-stocked well-run well-maintained hearty mouthwatering mouth-watering succulent juicy sumptuous spot-on
  flattering zesty aromatic fragrant decadent creamy wholesome authentic quaint scenic hospitable welcoming accommodating skilled
  skillful skilful timely silky radiant long-wearing well-integrated insightful extensible self-explanatory zippy peppy aces aced
  painless painlessly unobtrusive lifelike nuanced well-organized well-organised tidy immaculate pristine hygienic artisanal
  artful tasteful unforgettable unmissable pioneering trailblazing forward-thinking no-fuss no-hassle stress-free pain-free
  rock-steady unflappable stalwart overbuilt bombproof hard-working hardworking tireless thrilling captivating sought-after
  enriching thought-provoking bountiful cohesive conscientious diligent
  weightless holy-grail
`)

/** Words that blame products and are missing from the lexicon. */
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
  hassle hassles nightmare shady sketchy scammy bland tasteless flavorless flavourless soggy watery overcooked undercooked
  unusable abysmal crummy antiquated archaic brittle rickety temperamental unremarkable uninspiring uninspired untested unproven
  exploitative intrusive overbearing bug-ridden crash-prone power-hungry resource-hungry battery-hungry slow-loading smelly moldy
  mouldy dingy drafty draughty dismissive maligned creaky squeaky squeaks underdelivers underdelivered overpromises overpromised
  overcharges overcharged overcharge backlash falters faltered flounders stumbles stumbled notoriously woefully gimmicky mushy
  underperform underperforms underperformed underperforming unappealing unimpressive unimpressed unsanitary understaffed
  overcrowded overbooked bloat bloatware spammy pester pesters nickel-and-dime nickel-and-dimes nickel-and-diming pitiful
  laughable tacky scuffs scuffed shapeless frumpy chafe chafes chafing lumpy creaks rubbery oversalted skimpy meager
  meagre measly paltry musty grimy bedbugs cockroaches surcharges upcharges curt inattentive unreachable botched bungled
  substandard second-rate third-rate throttles throttled throttling buffering eye-watering gouging bait-and-switch
  watered-down dumbed-down half-hearted lock-in kludgy unglued guzzle guzzles delaminate delaminates delaminated
  splinters splintered wilted rancid undersized misaligned mislabeled mislabelled jarring choppy rudimentary threadbare warped
  imprecise erratic wonky unqualified inexperienced amateurish untrained disorganised haphazard slapdash negligent dicey
  impersonal condescending patronizing patronising surly grumpy gruff brusque snooty unwelcoming uninviting soul-crushing
  repetitive monotonous formulaic cliched underwhelmed unenthusiastic outmoded unmaintained unpatched marred sullied embattled
  beleaguered scandal-ridden scandal-plagued gripe gripes grumble grumbles nitpick nitpicks quibble quibbles shortcoming
  shortcomings hang-ups riddled grievances ad-heavy counterfeit counterfeits slimy sickly stranded   extortionate squalid uncommunicative unprofessional untrustworthy unsatisfactory unsatisfying dissatisfied dissatisfaction
  gremlins baffling
`)

/**
 * Words of the lexicon that carry no judgement in product descriptions, or are everyday words of other languages ("die" is German for
 * "the").
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
  nuts fortune admits honor honors honour honours freshness hard-to-find hard-to-reach hard-to-clean difficult-to-reach
  grey gray sharply
`)

/** Phrases that praise. */
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
  best of the two,best of the three,a lot to like,lots to like,plenty to like,much to like,a lot to love,much to love,
  the one to beat,the one to get,the one to buy,the one to own,one to beat,pick of the bunch,pick of the litter,
  ticks all the boxes,tick all the boxes,ticks every box,ticks most boxes,checks all the boxes,check all the boxes,
  checks every box,checks most boxes,sweet spot,sets the bar,set the bar,sets the standard,set the standard,raises the bar,
  raised the bar,league of its own,class of its own,a cut above,takes the crown,took the crown,takes the cake,pain out of,
  hassle out of,guesswork out of,stress out of,bang for your buck,bang for the buck,top marks,full marks,high marks,top points,
  few rivals,loyal following,cult following,devoted following,tried and true,tried and tested,exceeded my expectations,
  exceeded our expectations,exceeds expectations,exceeded expectations,exceed expectations,blows the competition,
  head and shoulders above,built like a tank,a steal,like a charm,like a dream,like clockwork,a dream to,a cinch,hard to top,
  hard to match,hard to resist,well received,well respected,well thought out,well crafted,well balanced,well equipped,
  top performer,top contender,top option,top seller,best seller,best sellers,works well,work well,worked well,works beautifully,
  worked beautifully,performs well,perform well,performed well,scores well,scored well,scores high,scored high,scores highly,
  scored highly,ranks highly,ranked highly,rated highly,does well,did well,fits well,handles well,wears well,holds its own,
  hold its own,leads the market,leads the pack,leading the pack,leads the way,leads the field,extra mile,above and beyond,
  strikes the right balance,hits the right balance,packs a punch,packed with features,has it all,gets it right,
  gets everything right,nails it,nails the basics,nails the fundamentals,nails the details,nailed it,is on point,are on point,
  is a must,are a must,a hit with,a hit among,as good as it gets,keeps getting better,good hands,with ease,simply works,
  delivers on its promises,delivers on its promise,delivers on that promise,short work of,won over,never looked back,
  nothing touches,a lot for your money,game changer,stood the test of time,stands the test of time,stand the test of time,
  earns its place,earns its spot,earns its keep,earned its place,top of our list,top of my list,top of their lists,
  top of its class,top of its game,swear by,swears by,my pick,our pick,speak highly of,speaks highly of,can rely on,highest score,
  highest scores,highest marks,highest rating,highest ratings,built like tanks,lowest rates,lowest prices,lowest price,lowest fees,
  like nothing else,holds its shape,hold their shape,keep coming back for,keep coming back to,coming back for more,tops our list,tops the list,tops my list,
  deserves the hype,smart choice,smart pick,sound option,sound choice,first pick,held up well,flying colors,flying colours,bone dry,
  like new,worth the hype,worth the splurge,worth the extra,fair share of fans,without breaking the bank,without a hitch,
  without a hiccup,went smoothly,goes smoothly,runs smoothly,ran smoothly,worth it,
  took first place,takes first place,came out ahead,comes out ahead,came out on top,lead the pack,lead the market,lead the way,
  punches well above,first recommendation
`)

/** Phrases that blame. */
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
  too complex,too technical,too basic,too limited,too high,too low,too hard,too soft,too long,
  a pain to,a pain in,a chore to,a chore,loses on,loses out on,showing its age,shows its age,past its prime,best avoided,
  out of favor,out of favour,skimps on,skimp on,skimped on,cuts corners,cut corners,cutting corners,not for the faint of heart,
  drops the ball,dropped the ball,lost its edge,lost its way,lost its shine,lost its luster,lost its lustre,trails the pack,
  comes up short,came up short,come up short,can't keep up,cannot keep up,couldn't keep up,trouble keeping up,is a gamble,
  fell flat,falls flat,fall flat,pales in comparison,lags behind in,lags behind on,lags far behind,falls behind in,falls behind on,
  trails far behind,trails behind in,money pit,a downgrade,is a step back,step backward,step backwards,is a joke,is a lemon,
  gone downhill,went downhill,going downhill,go downhill,in decline,behind the curve,needs work,need work,needs improvement,
  needs a redesign,could use some work,could use work,costs too much,cost too much,costs a lot,cost a lot,takes ages,took ages,
  drains your battery,drains battery,hogs memory,loses data,lose data,lost data,losing data,lost my luggage,lost my order,
  lost my data,lost my package,hiked prices,hiked its prices,hikes prices,hikes its prices,price hike,price hikes,wears out fast,
  wears out quickly,wear out quickly,wore out,wore thin,wears thin,poor fit,bad fit,wrong choice,too niche,tore after,
  arrived broken,arrived damaged,refused to refund,refuses to refund,left us waiting,left me waiting,leaves you waiting,
  kept us waiting,kept me waiting,could do better,digs into your,dig into your,all over the place,out of order,
  put me off,puts me off,went bust,left stranded,leaves passengers stranded,food poisoning,good luck getting,at your own expense,
  caused breakouts,causes breakouts,falls well short,fall well short,fell well short,not worth the,charges a fortune,
  charge a fortune,fire hazard,last resort,misses the mark,missed the mark,miss the mark,there are better,better options exist,
  can't stand,cannot stand,smells of chemicals,smell of chemicals,reeks of,reek of,rips at the seams,rip at the seams,ripped at the seams,split at the seams,like pulling teeth,
  frequent delays,chronic delays,constant delays,
  long delays,shipping delays,hefty price,hefty prices,hefty fee,hefty fees,hefty premium,steep price,steep prices,steep fee,
  steep fees,sky-high prices,sky-high fees,price gouging,dropped calls,drops calls,ranks last,ranked last,finished last,came last,runs out of steam,snaps off,
  snapped off,peels off,peeled off,came apart,comes apart,came loose,comes loose,cracked after,broke after,died after,failed after,
  stopped after,quit after,
  not justify,doesn't justify,didn't justify,don't justify,cannot justify,can't justify,more hype than substance,left in droves,
  leaving in droves,leave in droves,loses connection,lose connection,lost connection,lose interest
`)

/** Phrases that contain a cue but carry no judgement. */
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
  hard to find better,difficult to find better,fast charger,fast lane,stiff competition,strong smell,light roast,dull skin,modern history,compact discs,silent auction,error code,could be better than,to be honest,
  repetitive tasks,repetitive task,repetitive work,repetitive strain,bug tracker,bug trackers,bug tracking,bug fixes,crash log,crash logs,crash report,crash reports,crash reporting,chronic pain,
  back pain,joint pain,personal injury,risk management,debt consolidation,debt collection,disaster recovery,fraud detection,
  fraud protection,fraud prevention,error handling,stress relief,anxiety relief,hair loss,weight loss,waste management,
  lost and found,stress test,stress testing,dirty dishes,dirty laundry,dead skin,problem solving,conflict resolution,hay fever,
  stiff neck,dispute resolution,
  light breeze,sea breeze
`)

/** Verbs and phrases that rank their subject above (first list) or below (second list) what follows them. */
export const above = phrases(`
  beats,beat,outperforms,outperform,outperformed,outlasts,outlast,outlasted,outshines,outshine,outclasses,surpasses,surpass,surpassed,
  exceeds,trumps,trounces,edges out,edged out,superior to,ahead of,a step up from,a step above,step up from,preferable to,match,matches,
  compete with,compare to,measure up to,measures up to,wins over,overtakes,overtook,outranks,outsells,outscores,
  outscored,outruns,eclipses
`)
export const below = phrases(`
  lags behind,lag behind,lagged behind,lags,trails behind,trails,trailed,falls behind,fall behind,falls short of,fall short of,fell short of,
  loses to,lost to,loses out to,pales next to,pales beside,pales in comparison to,pales in comparison with,pales compared to,inferior to,
  no match for,a step down from,step down from,beaten by,outperformed by,surpassed by,outclassed by,eclipsed by,
  overtaken by,outshone by,outranked by,edged out by
`)
