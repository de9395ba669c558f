/**
 * The words by which controls say that they act: send, pay, order, delete, publish, confirm, sign in. Lists, so that
 * they can be read and extended; `act-names.ts` has the grammar.
 */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Verbs that are nothing else at the beginning of a name. */
export const VERBS = words(`
  send resend submit buy pay repay purchase delete remove erase destroy wipe publish unpublish retweet repost confirm
  login logon logout logoff signin signup signout subscribe unsubscribe donate withdraw approve authorize authorise
  deactivate terminate revoke uninstall invite enroll enrol agree deploy merge discard refund rsvp
`);

/** Verbs that are also nouns. In a link they act only before one of `OBJECTS`. */
export const NOUN_VERBS = words(`
  order post book register transfer tweet reserve vote bid checkout accept upgrade trash unfriend
`);

/** What icons of links that act are called; other names in code say where a link leads. */
export const DESTROYS = words('delete remove trash');

/** What follows a noun, and never a command. */
export const AFTER_NOUNS = words(`
  of by history status details detail number numbers id list lists tracking summary total totals information info date
  dates type types office offices code codes title titles settings preferences reviews review-list club clubs news
  methods method policy policies report reports page pages rules is are was were has have explained guide in at
`);

/** What follows a command in a link. */
export const OBJECTS = words(`
  now here online it this that these all again today free a an the my your our for with as to comment comments reply
  message order orders table room seat flight hotel ticket tickets appointment account item items money funds ad and
  post posts conversation file files photo photos profile repository project user member access feedback friend
`);

/** After these, a verb only clears what was typed or chosen in the page. */
export const HARMLESS_OBJECTS = words(
  'filter filters formatting highlight highlights bookmark tag tags',
);

/** Beginnings that say nothing of what is done. */
export const FILLERS = words(`
  yes ok okay please click tap press here to now really permanently quickly i we you want would like just also securely
  safely instantly finally let's lets go ahead then or 1-click one-click quick instant save
`);

/** Before `to` and a verb, these speak of an act. */
export const SPEAKS_OF = words(
  'how ways way reasons back ready learn return options easy hard time',
);

export const NEGATIONS = words(
  "no not don't dont never without undo keep cannot can't won't isn't",
);

/** Two words or more that act together, at the beginning of a clause. */
export const PHRASES: readonly RegExp[] = [
  /^(?:sign|log) (?:me )?(?:in|up|on|out|off)(?: (?:now|here|today|free|for|to|with|using|via|as|and|or|securely|my|your|of|again)\b.*)?$/,
  /^check out(?!(?: (?:our|the|these|this|those|how|what|why|some|more|a|an)\b))/,
  /^sign (?:the |this |my |your )?(?:document|contract|agreement|petition|now|here|electronically)\b/,
  /^sign$/,
  /^place (?:[\w']+ ){0,3}(?:order|orders|bid|bids|bet|bets)\b/,
  /^(?:complete|finish|finalize|finalise) (?:[\w']+ ){0,3}(?:purchase|order|payment|booking|checkout|registration|transaction|reservation|donation|sign)\b/,
  /^(?:create|open|close|deactivate) (?:[\w']+ ){0,3}(?:account|profile)\b/,
  /^cancel (?:[\w']+ ){0,3}(?:order|orders|subscription|booking|reservation|membership|account|plan|appointment|trip|flight|payment|transfer)\b/,
  /^(?:continue|proceed|connect) (?:with|using|via) (?:google|apple|facebook|microsoft|github|x|twitter|linkedin|amazon|paypal|email|e-mail|phone|sso|passkey|wechat)\b/,
  /^(?:continue|proceed|go|on) to (?:secure )?(?:payment|checkout|pay)\b/,
  /^start (?:[\w']+ ){0,3}trial\b/,
  /^(?:easy apply|quick apply|apply (?:now|for|to|here))\b/,
  /^schedule (?:[\w']+ ){0,2}(?:send|post|tweet|message|payment|transfer)\b/,
  /^make (?:[\w']+ ){0,2}(?:payment|donation|purchase|offer|reservation|transfer)\b/,
  /^(?:create|open|close|reopen) (?:[\w']+ ){0,2}(?:issue|pull request|merge request|ticket|release)\b/,
  /^share (?:post|now|publicly)\b/,
  /^(?:add )?comment$/,
  /^leave (?:[\w']+ ){0,2}(?:group|team|organi[sz]ation|channel|server|workspace)\b/,
  /^empty (?:[\w']+ ){0,2}(?:trash|bin|cart|basket|folder|spam)\b/,
  /^move to (?:trash|bin)\b/,
  /^reset (?:[\w']+ ){0,2}(?:password|account|device)\b/,
];

/** Banners that ask about cookies: their buttons change nothing but what the site may store. */
export const ABOUT_COOKIES = /cookie|^accept all$|全部接受|接受所有/i;

/** What a page asks before it acts, where its words do not say it. */
export const CERTAINTY =
  /\b(?:are you sure|is this ok|cannot be undone|can't be undone|irreversible|proceed\?|continue\?|charged?|payments?|purchases?|orders?)\b|确定|确认|確定|確認|是否|不可恢复|无法撤销|无法恢复|扣款|订单/i;

const ACT =
  '发送|發送|发(?:弹幕|微博|朋友圈|消息|邮件|红包|货)|投币|获取验证码|解除绑定|送出|傳送|提交|购买|購買|支付|付款|缴费|缴纳|下单|下單|确认|確認|删除|刪除|移除|清空|抹掉|发布|發布|發佈|发表|發表|发帖|登录|登錄|登陆|登入|登出|注册|註冊|注销|退出登录|转账|轉帳|汇款|提现|预订|预定|预约|訂閱|订阅|退订|同意|结算|结账|結帳|充值|捐款|捐赠|打赏|投票|授权|批准|审批|邀请|签署|签约|抢购|买单|报名|转发|退款|退货|卸载|解绑|停用账|立即申请|加入会员|开通会员|取消(?:订单|订阅|預約|预约|预订|预定|会员|航班|酒店|自动续费|续费|报名|付款|支付)';
/** Turns an act into what was done, is not done, or is spoken of. */
const NOT_BEFORE = '已|不|未|别|勿|没|無|无|无法|无需|暂不|取消|撤销|如何|怎么|怎样|为何|为什么';
const NOT_AFTER =
  '时间|日期|记录|方式|列表|说明|页|管理|历史|状态|设置|中心|规则|须知|协议|条款|政策|人|者|商|器|会|箱|失败|成功|量|数|排行|攻略|教程|指南|问题|帮助|渠道|平台|机构|会计|表|宝|力|线|键|书';
const BEFORE_ACT =
  '立即|马上|现在|点击|点此|去|前往|我要|我已阅读并|阅读并|永久|彻底|批量|全部|确定|一键|快速|免费|继续|并|请|是|好的?|直接|安全|再次|重新|保存并|新用户|微信|账号|密码|手机号?|本机号码|提交并';

/** An act anywhere in a control's name in Chinese. */
export const CHINESE_ACT = new RegExp(`(?<!${NOT_BEFORE})(?:${ACT})(?!${NOT_AFTER})`);
/** An act in a link's name: at its beginning, and with little after it. */
export const CHINESE_LINK = new RegExp(`^(?:${BEFORE_ACT})*(?:${ACT})(?!${NOT_AFTER}).{0,4}$`);
