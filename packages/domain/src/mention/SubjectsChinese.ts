import { isBrandSpelt, isLatinName, latinName, type Language } from "./Language.ts"

// How Chinese prose names brands that occur only once: "飞帆的优势在…", "预算有限可以试试签立方".

const han = "\\p{Script=Han}"
const stretch = `(?:${latinName}|(?<![A-Za-z])[A-Za-z]{0,2}${han}{1,10})`
const opensQuote = "[\\s“《「『*]{0,3}"

const opening =
  `(?:[。！？；\\n]|那么|的话，|(?:除了|如果|要是|若|想)[^，。]{1,20}，|的[^，。的]{0,4}，|(?:这方面|这一点上?|方面)，?|[里中上]，|(?:来说|而言|来看)，|论[^，。]{1,8}，)${opensQuote}` +
  "(?:(?:而|但|不过|至于|另外|此外|同样|首先|其次|那么|相比之下)，?)?(?:(?:国产|国内|老牌(?!子)|老字号|新兴|小众|上海|北京)的?)?"
const advising =
  "推荐|喜欢|[高多好大低早快新稳强全便宜火]的|首选|试试|试一下|试一试|考虑|看看|可以看|先看|尝试|提到|想到|走向|入手|要数|(?<!踩坑|重要|关键|担心|注意|头疼|值得|怕|难|麻烦)的是|选择|会选|可选|可以选|优先选|常用|会用|可以用|会买|买|至于|比如|例如|包括|" +
  "品牌|龙头|老大哥|厂商|厂家|大厂|开始用|从|留给|给|关注|关注一下|(?<![摄录影图音])像|(?:店|人|户|友|家|就)用|了解|转向|换成|换到|当属|叫做|名为|适合|体验|预约|联系|咨询|下载|安装|交给|参考|锁定|逛逛"

const kinds = "品牌|牌子|公司|厂商|厂家|店|机构|平台|软件|应用|工具|网站|服务商|工作室|产品"
// What is said of brands, after the name.
const ofBrands =
  /[”》」』*]{0,3}\s?(?:则|也|更|最|还|都)?(?:旗下|名气|口碑|主打|胜在|性价比|走的是|由.{2,12}(?:推出|开发|创办)|起源|是.{0,12}(?:品牌|厂商|公司|工作室|产品|服务商)|的(?:产品|门店|客服|口碑|价格|报价|会员|品牌|社区|接口|界面|功能|服务|型号|用户)|.{0,10}(?:收费|计费|报价|客服|用户|免费))/uy

const segmenter = new Intl.Segmenter("zh", { granularity: "word" })

// Characters that end a name and begin none: particles, pronouns, verbs of one character.
const ends = new Set(
  "的是在和了也都就不没这那则更最还会能有由与或把被让对为以及而但要来去很较偏走主打胜卖做用看买讲出每从给到上下时后前里全其它价贵比因您你我他她" +
    "着过吗呢吧该各所多少刚写得听想先再按零占非已未正如若虽并自本此请选换试放拿等将又只才却叫属跟论按据凭靠"
)
// 签约前: a time, not a name.
const times = new Set(["前", "后", "时", "之前", "之后", "以后", "以前"])
const number = /^[第两几一]|[一二三四五六七八九十两几百千万]./u
const endsInDigit = /[一二三四五六七八九十两几百千万]$/u
const measure = /^[个款家种年月日次百千万元块件张名位倍分天折升斤克米寸口岁台套层条包盒瓶杯片集]/u
// Affixes of ordinary words: 入耳式, 朝阳区, 家长们.
const affix =
  /[式者们区市省县会图机率器员度性型类版剂店费力端量面号品法学期段层级款只件份名条次个年月日点分奶霜油皮肌]$/u
// Characters and endings of words that no name has there: 人反馈, 老牌子.
const beginsNone = /^[人子头里边处者们]/u
const endsNone = /(?:品牌|牌子|公司|厂商|厂家|机构|平台|软件|应用|工具|网站|产品|用户|价格|功能)$/u
// 阿里云.
const closesName = /^[云宝猫狗鱼网通派客坊阁堂社记邦达兔熊虎鹰星]$/u
// Words that are missing from the dictionary.
const words = new Set(
  (
    "业内 剪藏 键帽 增项 编程 客服 云端 洁面 降噪 续航 手冲 佩戴 耗材 糖友 支持 小程序 公众号 小红书 性价比 甘特 " +
    "内胆 画质 妆造 快充 机身 主板 显卡 像素 广角 防抖 修图 滤镜 质感 键程 轴体 刷头 滤芯 波轮 能效 静音 异味 耗电 " +
    "耗水 出风 除醛 预热 奶泡 豆味 烘焙度 刀头 刀网 胎压 空间感 智驾 车机 门店 客单价 人均 锅底 蘸料 毛肚 服务员 " +
    "房型 床品 隔断 动线 主材 辅料 工长 监理 柜体 台面 面料 版型 尺码 鞋楦 中底 缓震 透气 防泼水 帐杆 炉头 杖尖 " +
    "团课 私教 月卡 年卡 网课 题库 真题 词库 语料 云盘 网盘 剪辑 插件 工单 合规 签约 理赔 保费 保额 免赔 费率 定投 " +
    "手续费 问诊 药效 敏感肌 控油 保湿 成膜 搓泥 拔干 遮瑕 色号 香调 留香 洗发 护发 猫砂 猫粮 狗粮 冻干 主粮 适口性 " +
    "肉含量 辅食 尿裤 安全带 侧撞 绘本 早教 拼装 邮轮 值机 行李额 租车 客源 团期 寄件 揽收 包邮 售后 质保 保修 三包 " +
    "退换 客诉 差评 好评 试驾 内测 首发 爆款 平替 国货 入门款 旗舰款 档位 颜值 便携 适配 投屏 联动 网关 路由 千兆 " +
    "宽带 靓号 底噪 低频 高频 声场 通透 跟练 减脂 增肌 心率 步数 枕芯 棕垫 护脊 软硬 家装 老房 旧改 厨电 灶具 净水 " +
    "滤网 拖布 基站 尘盒 避障 建图 蒸烤 空炸 煲汤 锅具 不粘 铸铁 杯盖 杯身 咖啡机 拿铁 豆奶 植物奶 红酒 粤菜 湘菜 " +
    "日料 甜品 学生党 宝妈 博主 车主 卖家 买家 平台方 服务商 供应商 价位 均价 溢价 满减 会员价"
  ).split(" ")
)
const longestName = 6
// What a company does, at the end of its name: 木页设计.
const trade =
  /^(?:装饰|装修|设计|家居|家具|家装|科技|教育|英语|口腔|眼科|医疗|医美|健身|瑜伽|舞蹈|摄影|咖啡|烘焙|火锅|酒店|民宿|旅行|旅游|搬家|家政|物流|快递|保险|证券|银行|律所|传媒|广告|宠物|书店|书院|母婴|汽车|租车|影业|软件|网络|云盘|笔记|日历|翻译|输入法|浏览器|工作室)/u

/** The pieces into which a dictionary splits the start of a stretch, up to the end of a name; empty where no name begins. */
const piecesOf = (stretch: string): ReadonlyArray<string> => {
  const pieces: Array<string> = []
  for (const { segment } of segmenter.segment(stretch)) {
    const last = pieces.at(-1) ?? ""
    if (last !== "" && (times.has(segment) || (endsInDigit.test(last) && measure.test(segment)))) return []
    if (ends.has(segment.charAt(0)) || number.test(segment) || (segment.length > 1 && pieces.length > 1)) break
    pieces.push(segment)
  }
  return pieces
}

/** The name at the start of a stretch: characters that form no dictionary word (森海塞尔), or a word together with one character (签立方, 阿里云). */
const nameIn = (stretch: string): string => {
  if (!/\p{Script=Han}/u.test(stretch)) return isLatinName(stretch) ? stretch : ""
  const pieces = piecesOf(stretch)
  const name = pieces.join("")
  const [first = "", second = ""] = pieces
  const spelt = [4, 3, 2].map((length) => stretch.slice(0, length)).find(isBrandSpelt)
  if (spelt !== undefined) return spelt
  const inDictionary = pieces.filter((piece) => piece.length > 1).length
  const isMade = inDictionary === 0 || (pieces.length === 2 && inDictionary === 1)
  const business = inDictionary === 0 ? (trade.exec(stretch.slice(name.length))?.[0] ?? "") : ""
  if (business !== "" && pieces.length > 1 && !words.has(name)) return name + business
  if (pieces.length < 2 || !isMade || (first.length > 1 && !closesName.test(second))) return ""
  return name.length > longestName ||
    affix.test(name) ||
    beginsNone.test(name) ||
    endsNone.test(name) ||
    words.has(name)
    ? ""
    : name
}

/** How Chinese names brands: by characters that form no word, at the start of a sentence or after a recommendation. */
export const chinese: Language = {
  sayings: [
    { pattern: new RegExp(`(?<=${opening}${opensQuote})(?=(${stretch}))`, "gu") },
    { pattern: new RegExp(`(?<=(?:${advising})${opensQuote})(?![择购用取手])(?=(${stretch}))`, "gu"), isAdvice: true },
    {
      pattern: new RegExp(
        `(?<=[。，；！？\\n]${opensQuote})(?=(${han}{2,6}?)[”》」』]?这[个款家](?:[^，。这]{0,4})(?:${kinds}))`,
        "gu"
      ),
      isNaming: true
    },
    {
      pattern: new RegExp(
        `(?<=(?:可以|不妨|建议|适合|值得|应该)${han}{0,4}[\\s“《「『*]{0,3}|[中里]\\s?)(?=(${latinName})(?![A-Za-z]))`,
        "gu"
      ),
      isAdvice: true
    }
  ],
  nameIn,
  ofBrands,
  isLatin: false,
  countsAsBrands: true
}
