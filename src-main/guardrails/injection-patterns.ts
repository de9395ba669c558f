import { type Pattern, pattern } from './pattern.ts';

export interface PatternRule {
  readonly rule: string;
  readonly message: string;
  readonly patterns: readonly Pattern[];
  /** Signs other than words. */
  readonly signs?: readonly RegExp[];
}

const RULES_EN =
  '(?:instructions?|prompts?|directives?|guidelines?|rules?|commands?|orders?|programming|constraints?|safeguards?)›';
const WHOSE_EN =
  '‹(?:previous|prior|preceding|earlier|above|existing|original|foregoing|all|any|every|your|system|safety|these|those|initial)›';
const NOT = "(?<!‹(?:not|never|don't|dont|cannot|can't|non|ne|nao|no|не)[^\\p{L}]{1,2})";

/** Text that takes over a model that reads it: English, Chinese, Japanese, and European languages. */
export const INJECTION_RULES: readonly PatternRule[] = [
  {
    rule: 'override',
    message: 'Tells the model to ignore its instructions.',
    patterns: [
      pattern(
        `${NOT}‹(?:ignore|disregard|forget|override|bypass|neglect|overlook|discard)~3${WHOSE_EN}~3${RULES_EN}`,
      ),
      pattern(`${NOT}‹(?:ignore|disregard|forget)~(?:everything|anything|all|what)~2(?:you|user)›`),
      pattern(`‹(?:ignore|disregard|override)~(?:the|what the) user(?:'s)?›`),
      pattern(
        '(?<!不要|别|勿)(?:忽略|无视|無視|忘记|忘記|忘掉|不要理会|抛弃|放弃)[^。！？]{0,6}(?:之前|以上|以前|上述|先前|前面|所有|原来|原有|一切|你的|此前|用户的|任何)[^。！？]{0,8}(?:指令|指示(?!灯)|规则|規則|提示|要求|命令|设定|限制|准则|安全策略|任务)',
      ),
      pattern(
        '‹(?:ignorier[\\p{L}]{0,4}|vergiss|vergessen sie|missachte[\\p{L}]{0,3})(?! nicht)~3(?:anweisungen|instruktionen|regeln|vorgaben|befehle|richtlinien)›',
      ),
      pattern(
        `${NOT}(?<!')‹(?:ignore[rz]?|ignores|oublie[rz]?)(?! pas)~3(?:instructions|consignes|regles|directives)›`,
      ),
      pattern(
        `${NOT}‹(?:ignora|ignore|olvida|omite|descarta)(?:d|te)?~3(?:instrucciones|reglas|ordenes|directrices)›`,
      ),
      pattern(`${NOT}‹(?:ignora|dimentica|trascura)(?:te|re)?~3(?:istruzioni|regole|direttive)›`),
      pattern(
        `${NOT}‹(?:игнорируй|проигнорируй|забудь)(?:те)?~3(?:инструкци|указани|правил|команд)[\\p{L}]{1,3}›`,
      ),
    ],
  },
  {
    rule: 'role_marks',
    message: 'Imitates the markers between speakers in a conversation.',
    signs: [
      /<\|(?:im_start|im_end|system|assistant|user|endoftext|eot_id|start_header_id|end_of_turn)\|>/u,
      /\[\/?inst\]|<<\/?sys>>|<(?:start|end)_of_turn>/u,
      /<\/(?:tool|function)[_ ]?(?:result|response|output|call)s?>/u,
      /<system>[^<]{0,20}(?:you|the user|ignore|run|new)\b/u,
    ],
    patterns: [
      pattern(
        '(?<=^|[.!?:>*#"-] ?)(?:system|assistant|user|developer)(?: (?:message|prompt|note|override|instructions?))?: ?(?:you (?:are|must|will|have)|(?:please )?(?:ignore|disregard|delete|send|run|execute|call|forward|upload|open|reveal|show|print|write|override)›)',
      ),
    ],
  },
  {
    rule: 'to_the_model',
    message: 'Addresses a model instead of a reader.',
    patterns: [
      pattern(
        '‹(?:note|notice|message|memo|attention|instructions?|warning|important|dear|hey|hello)…12‹(?:ai|llms?|language models?|chatbots?)›',
      ),
      pattern(
        '‹(?:ai|llms?|language models?|chatbots?)(?: (?:agents?|assistants?|models?|systems?|crawlers?))?~(?:that|who|which|when)?~?(?:reads?|reading|processing|summari[sz]ing|visiting|parsing|processes)~(?:this|the)›',
      ),
      pattern(
        "‹(?:if|since|as|when|because)~(?:you are |you're )?an?~(?:large |helpful )?(?:ai|llm|language model)›…60‹(?:you|respond|reply|output|must|ignore|include|visit|say)›",
      ),
      pattern(
        '(?<=^|[.!?:>-] ?)(?:assistant|ai|llm|agent|model)[,:] (?:please )?(?:disregard|ignore|override|forget|call|run|execute|send|delete|reveal|you must|do not|from now)›',
      ),
      pattern('‹(?:respond|reply|answer)~only~with~(?:the )?(?:phrase|word|text|string)›'),
      pattern('(?:ai|人工智能)(?:助手|模型|代理)[^。！？]{0,6}(?:请|請|注意|必须|:|：)'),
    ],
  },
  {
    rule: 'secrecy',
    message: 'Asks to hide something from the user.',
    patterns: [
      pattern(
        "‹(?:do not|don't|never|must not)~(?:tell|inform|mention|reveal|disclose|show|alert|notify|ask|let)…40‹users?›",
      ),
      pattern(
        '‹(?:secretly|quietly|silently|covertly)~(?:append|add|send|include|forward|insert|call|upload|run|execute)›',
      ),
    ],
  },
  {
    rule: 'carry_out',
    message: "Asks to send the user's data somewhere.",
    signs: [
      /!\[[^\]]{0,80}\]\([^)]{0,200}(?:\{|\$\{)(?:conversation|chat|history|user|data|secret|prompt|answer|context)/u,
    ],
    patterns: [
      pattern(
        "‹(?:send|forward|upload|leak|transmit|e-?mail|paste|post)~3(?:user'?s?|conversation|chat history|api keys?|passwords?|credentials|contacts|files|contents?|attachment|id_rsa|ssh)›…60‹(?:to|at|there|with)›…40(?:@|http|‹attacker|‹server|‹address|‹paste|‹url)",
      ),
      pattern(
        '‹(?:send|forward|upload|paste)~3(?:conversation|context|history)~(?:there|here|in the url)›',
      ),
      pattern(
        '(?:将|把)[^。！？]{0,8}(?:用户|对话|對話|密码|所有文件)[^。！？]{0,12}(?:发送|上传|傳送|传送|发给)',
      ),
      pattern(
        '(?:envia|invia|envie|envoie|sende|отправь)(?:z|te|n)?~3(?:archivos|file|arquivos|fichiers|dateien|файлы)~3(?:usuario|utente|utilisateur|benutzers|пользователя)›',
      ),
    ],
  },
  {
    rule: 'new_orders',
    message: 'Gives the model a task, or claims that something is allowed.',
    patterns: [
      pattern('‹(?:new|updated|revised)~(?:system )(?:instructions?|prompt|directives?|message)›'),
      pattern(
        '‹(?:you must|you should|you have to|you are required to)~(?:now|immediately|first)?~?(?:call|invoke|execute|run)›',
      ),
      pattern(
        '新的?任务是|(?:现在|立即|马上|現在)(?:执行|调用|執行)(?:以下|工具|下面)|必须立即(?:调用|执行)',
      ),
    ],
  },
  {
    rule: 'prompt_leak',
    message: 'Asks for the instructions of the model.',
    patterns: [
      pattern(
        '‹(?:repeat|reveal|print|show|output|display|tell me|give me|leak|disclose|reproduce|dump|recite|what (?:is|are|were|was))›…40‹(?:system prompt|system message|(?:hidden|secret|internal|system)~(?:instructions?|prompt|rules)|your~(?:initial |original |exact |full )?(?:instructions|prompt|system prompt)|instructions you (?:were|have been) given|contents? of your context)',
      ),
      pattern(
        '‹(?:repeat|print|output|show)~(?:me )?(?:everything|all|the (?:text|words))~(?:that is |written )?above~this›',
      ),
      pattern('‹(?:contents?|text)~of~your~context'),
      pattern(
        '‹(?:verrate|zeige?|affiche[rz]?|revele[rz]?|revela|rivela|muestra|mostre|exiba|выведи|покажи|раскрой)~3(?:system-?prompt|prompt systeme|prompt de sistema|prompt di sistema|prompt do sistema|invite systeme|системный промпт)',
      ),
    ],
  },
];

const LIMITS =
  '(?:restrictions?|limits?|limitations?|filters?|rules?|guidelines?|polic(?:y|ies)|morals?|ethics?|censorship|constraints?|restraints?)›';
const NO = '‹(?:without|no|free (?:of|from)|not bound by|unbound by|ignores?|broken free)›';

/** Orders to a model to drop its rules: certain enough to block. */
export const JAILBREAK_RULES: readonly PatternRule[] = [
  {
    rule: 'jailbreak',
    message: 'Asks the model to act as if it had no rules.',
    patterns: [
      pattern(
        "‹(?:you are|you're|act as|become|be|roleplay as|stay in character as)~(?:now )?(?:going to (?:be|act as) )?(?:called |named )?(?:dan|stan|dude|aim)›(?=$|[^\\p{L}]{1,3}(?:now|which|who|and|you|an|stands|he|dan|do|mode|with|without)›|[.!:]|,? ?$)",
      ),
      pattern(
        `‹(?:you are|you're|act(?:ing)?|pretend|respond|answer|reply|behave|roleplay|simulate|imagine|character|play|become)›…40‹(?:ai|assistant|model|chatbot|bot|gpt|llm|twin|version of you|you)›…60(?:${NO}|‹has~no›|‹have~no›|‹had~no›)…20${LIMITS}`,
      ),
      pattern(
        `‹(?:act|respond|answer|reply|behave)~(?:[\\p{L}]{1,12}~)?without~(?:any~)?(?:[\\p{L}]{1,12}~)?${LIMITS}`,
      ),
      pattern(
        '‹(?:unrestricted|uncensored|unfiltered|jailbroken|amoral)~(?:ai|model|assistant|chatbot|version of)›',
      ),
      pattern(
        '‹(?:your|all|any)~(?:content |safety |ethical |usage )?(?:polic(?:y|ies)|filters?|guidelines|safeguards)›…15‹(?:disabled|off|turned off|lifted|suspended)›',
      ),
      pattern(
        '‹(?:comply with|obey|answers?|fulfil+)~(?:every|any|all)~(?:requests?|questions?)›…40‹(?:never~refuses?|legal or not|no matter|without)',
      ),
      pattern(
        '‹disable~(?:your|all)~(?:safety |content )?(?:rules|filters?|guidelines|polic(?:y|ies))›',
      ),
      pattern(
        '(?:ai|人工智能|助手|模型|dan)[^。！？]{0,20}(?:不受任何|没有任何|不受|不需要遵守|无需遵守)[^。！？]{0,6}(?:限制|规则|約束|约束|道德|准则)',
      ),
      pattern(
        '(?:不受任何|没有任何|不受)[^。！？]{0,2}(?:限制|规则|约束)的?[^。！？]{0,3}(?:ai|人工智能|助手|模型)',
      ),
      pattern('(?:进入|启动|开启|激活)(?:越狱|开发者|无限制|dan)模式'),
      pattern(
        '‹(?:ki|ia|ии)~(?:[\\p{L}]{1,12}~)?(?:ohne|sin|sans|sem|senza|без)~(?:[\\p{L}]{1,8}~)?(?:regeln|einschrankung|grenzen|restricciones|censura|limites|regles|restricoes|regole|limiti|ограничений|правил)[\\p{L}]{0,3}›',
      ),
      pattern(
        '‹(?:antworte|responda|reponds|rispondi|responde|отвечай)~3(?:ohne|sin|sans|sem|senza|без)~(?:[\\p{L}]{1,8}~)?(?:regeln|einschrankung|grenzen|restricciones|censura|limites|restricoes|regole|limiti|ограничений)[\\p{L}]{0,3}›',
      ),
    ],
  },
];

/** The clearest phrases, reduced to their letters. */
export const SPELLED_OUT =
  /(?:ignore|disregard|forget|override)(?:all|any)?(?:of)?(?:the|your|my)?(?:previous|prior|above|earlier|safety|system|user)?(?:instructions|rules|prompts?|guidelines)|systemprompt|jailbreak|donottelltheuser/;
