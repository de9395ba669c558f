import { page } from './site.ts';

/** A field that a user may type a secret into, while they have control. */
export interface SecretField {
  readonly name: string;
  /** `report` sends its value, to show that it was typed. */
  readonly html: string;
  /** Only digits can be typed. */
  readonly isNumber?: boolean;
}

const REPORT = `oninput="report(this)"`;
const inFrame = (html: string, more = ''): string =>
  `<iframe ${more} style="border:0;width:320px;height:36px" srcdoc="${`<body style='margin:0'><script>const report=(e)=>navigator.sendBeacon('/sent',e.value??e.textContent)</script>${html}`.replaceAll('"', '&quot;')}"></iframe>`;
const inShadow = (html: string, mode: string): string =>
  `<div id="host-${mode}"></div><script>document.getElementById('host-${mode}').attachShadow({ mode: '${mode}' }).innerHTML = ${JSON.stringify(html)};</script>`;

export const SECRET_FIELDS: readonly SecretField[] = [
  { name: 'password', html: `<input type="password" aria-label="Password" ${REPORT}>` },
  { name: 'plain text', html: `<input aria-label="Nickname" ${REPORT}>` },
  { name: 'email', html: `<input type="email" aria-label="Mail" ${REPORT}>` },
  { name: 'search', html: `<input type="search" aria-label="Search" ${REPORT}>` },
  {
    name: 'one-time code',
    html: `<input autocomplete="one-time-code" aria-label="Code" ${REPORT}>`,
  },
  { name: 'card number', html: `<input autocomplete="cc-number" aria-label="Card" ${REPORT}>` },
  { name: 'telephone', html: `<input type="tel" aria-label="Phone" ${REPORT}>`, isNumber: true },
  { name: 'number', html: `<input type="number" aria-label="Pin" ${REPORT}>`, isNumber: true },
  { name: 'text area', html: `<textarea aria-label="Letter" ${REPORT}></textarea>` },
  {
    name: 'editable text',
    html: `<div contenteditable role="textbox" aria-label="Editor" ${REPORT}></div>`,
  },
  { name: 'editable text without a role', html: `<div contenteditable ${REPORT}></div>` },
  { name: 'combo box', html: `<input role="combobox" aria-label="Choose" list="l" ${REPORT}>` },
  {
    name: 'password in a frame',
    html: inFrame(`<input type="password" aria-label="Framed" ${REPORT}>`),
  },
  { name: 'text in a frame', html: inFrame(`<input aria-label="Framed text" ${REPORT}>`) },
  {
    name: 'text in a frame of another origin',
    html: inFrame(`<input aria-label="Foreign text" ${REPORT}>`, 'sandbox="allow-scripts"'),
  },
  {
    name: 'text in a shadow root',
    html: inShadow(`<input aria-label="Shadow text" ${REPORT}>`, 'open'),
  },
  {
    name: 'text in a closed shadow root',
    html: inShadow(`<input aria-label="Closed text" ${REPORT}>`, 'closed'),
  },
];

const TOP = 20;
const STEP = 40;
/** The middle of a field, in CSS pixels of the viewport. */
export const middleOf = (at: number): { x: number; y: number } => ({
  x: 150,
  y: TOP + (at % 17) * STEP + 15,
});

/** A page of these fields, one below the other, and what it does with their values on a button. */
export function fieldPage(fields: readonly SecretField[], onButton = '', more = ''): string {
  const style = `<style>.f{position:absolute;left:20px} .f input,.f textarea,.f div[contenteditable]{box-sizing:border-box;width:300px;height:30px;margin:0;border:1px solid;font:16px monospace;overflow:hidden;resize:none} body{margin:0} button{position:absolute;left:500px;top:20px}</style>`;
  const report =
    "<script>const report = (e) => navigator.sendBeacon('/sent', e.value ?? e.textContent);</script>";
  const all = fields.map(
    ({ html }, at) => `<div class="f" style="top:${TOP + at * STEP}px">${html}</div>`,
  );
  return page(`${style}${report}${all.join('')}<button>Next step</button>${more}<script>
const all = (root) => [...root.querySelectorAll('input,textarea,[contenteditable]')].concat(...[...root.querySelectorAll('*')].filter((e) => e.shadowRoot).map((e) => all(e.shadowRoot)));
const valueOf = (e) => e.value ?? e.textContent;
document.querySelector('button').onclick = () => { ${onButton} };</script>`);
}

/** What a page may do with values that is no visible statement of its own: they stay hidden. */
export const HIDDEN_USES: readonly { readonly name: string; readonly code: string }[] = [
  {
    name: 'reveals it',
    code: "for (const e of all(document)) if (e.type === 'password') e.type = 'text'",
  },
  {
    name: 'changes the kind of the field',
    code: "for (const e of all(document)) if (e.type) { e.autocomplete = 'off'; e.type = 'text' }",
  },
  {
    name: 'replaces the field by one with its value',
    code: 'for (const e of all(document)) { const c = e.cloneNode(true); c.value = e.value; e.replaceWith(c); }',
  },
  {
    name: 'copies it into another field',
    code: "for (const e of all(document)) { const c = document.body.appendChild(document.createElement('input')); c.setAttribute('aria-label', 'Copy'); c.value = valueOf(e); }",
  },
  {
    name: 'copies it into a text area',
    code: "const c = document.body.appendChild(document.createElement('textarea')); c.value = all(document).map(valueOf).join(' ');",
  },
  {
    name: 'copies it into its value attribute',
    code: "for (const e of all(document)) e.setAttribute('value', valueOf(e))",
  },
  {
    name: 'fills it into the next document',
    code: "sessionStorage.v = JSON.stringify(all(document).map(valueOf)); location.href = '/filled'",
  },
  {
    name: 'fills it into the same document again',
    code: "const v = all(document).map(valueOf); document.body.innerHTML = v.map(() => '<input aria-label=\"Again\">').join(''); document.querySelectorAll('input').forEach((e, i) => { e.value = v[i] })",
  },
];

/** What a page says of them in its own words: shown to whoever reads the page. */
export const STATED_USES: readonly { readonly name: string; readonly code: string }[] = [
  {
    name: 'greets with it',
    code: "document.body.append('Hello ' + all(document).map(valueOf).join(' '))",
  },
  {
    name: 'writes it into the title',
    code: "document.title = all(document).map(valueOf).join(' ')",
  },
  {
    name: 'writes it into the address',
    code: "history.pushState(1, '', '?q=' + all(document).map(valueOf).join('-'))",
  },
  { name: 'writes it into a dialog', code: "alert(all(document).map(valueOf).join(' '))" },
  {
    name: 'writes it into names',
    code: "for (const e of all(document)) { e.setAttribute('aria-label', valueOf(e)); e.title = valueOf(e); e.placeholder = valueOf(e) }",
  },
  {
    name: 'writes it into a link',
    code: "document.body.insertAdjacentHTML('beforeend', '<a href=\"/good?' + all(document).map(valueOf).join('-') + '\">link</a>')",
  },
  {
    name: 'offers it as an option',
    code: "document.body.insertAdjacentHTML('beforeend', '<select aria-label=s>' + all(document).map((e) => '<option>' + valueOf(e)).join('') + '</select>')",
  },
];

/** The next document, with fields that hold what was typed in the one before. */
export const FILLED_PAGE = page(`<h1>Step two</h1><main></main><script>
const v = JSON.parse(sessionStorage.v ?? '[]'); document.querySelector('main').innerHTML = v.map((_, i) => '<input aria-label="Field ' + i + '">').join('');
document.querySelectorAll('input').forEach((e, i) => { e.value = v[i] });</script>`);

/** Sensitive fields that a site fills by itself: `%` stands for the value. */
export const PREFILLED: readonly string[] = [
  '<input type="password" aria-label="A" value="%">',
  '<input autocomplete="current-password" aria-label="B" value="%">',
  '<input autocomplete="new-password" aria-label="C" value="%">',
  '<input autocomplete="one-time-code" aria-label="D" value="%">',
  '<input autocomplete="section-x billing cc-number" aria-label="E" value="%">',
  '<input autocomplete="cc-csc" aria-label="F" value="%">',
  '<input autocomplete="cc-exp" aria-label="G" value="%">',
  '<input name="cvv" aria-label="H" value="%">',
  '<input name="cardnumber" aria-label="I" value="%">',
  '<input id="otp" inputmode="numeric" maxlength="60" aria-label="J" value="%">',
  '<label>Card number <input value="%"></label>',
  '<label>Security code <input value="%"></label>',
  '<label>Password <input type="text" value="%"></label>',
  '<input placeholder="Verification code" value="%">',
  '<label>验证码 <input value="%"></label>',
  '<label>密码 <input value="%"></label>',
  '<label>银行卡号 <input value="%"></label>',
  '<label>API key <input value="%"></label>',
  '<input type="text" style="-webkit-text-security:disc" aria-label="K" value="%">',
  '<input aria-label="PIN" value="%">',
  '<input aria-label="Social security number" value="%">',
  '<textarea name="private_key" aria-label="L">%</textarea>',
  '<iframe srcdoc="<input type=password aria-label=M value=%>"></iframe>',
  '<x-field></x-field><script>document.querySelector("x-field").attachShadow({mode:"open"}).innerHTML="<input type=password aria-label=N value=%>"</script>',
  '<input type="password" aria-label="O" value="%"><script>document.currentScript.previousElementSibling.type="text"</script>',
];
