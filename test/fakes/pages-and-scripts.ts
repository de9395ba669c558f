/** A page as its server sent it, and whether its text is there only once its scripts have run. */
export interface ScriptedPage {
  readonly name: string;
  readonly needs: boolean;
  readonly html: string;
}

const document = (head: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8">${head}</head><body>${body}</body></html>`;

const SENTENCE = 'The ferry leaves the old harbour at noon and comes back before the tide turns. ';
const PIXEL =
  '<noscript><img height="1" width="1" style="display:none" src="https://metrics.example/tr?id=1&noscript=1"></noscript>';
const TAGS =
  '<script async src="https://tags.example/gtag/js?id=G-1"></script><script>window.dataLayer=window.dataLayer||[];</script>';
const TAG_FRAME =
  '<noscript><iframe src="https://tags.example/ns.html?id=GTM-1" height="0" width="0" style="display:none"></iframe></noscript>';

const NEEDS: Readonly<Record<string, string>> = {
  'create-react-app': document(
    '<title>React App</title><script defer src="/static/js/main.4f2a.js"></script>',
    '<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div>',
  ),
  'vite with a module': document(
    '<title>Vite + Vue</title><script type="module" crossorigin src="/assets/index-a1.js"></script>',
    '<div id="app"></div>',
  ),
  angular: document(
    '<title>Shop</title><base href="/">',
    '<app-root></app-root><script src="runtime.js" type="module"></script><script src="main.js" type="module"></script>',
  ),
  'nuxt without a server': document(
    '<title>Docs</title>',
    '<div id="__nuxt"></div><script>window.__NUXT__={config:{}}</script><script type="module" src="/_nuxt/entry.js"></script>',
  ),
  'a noscript sentence in German': document(
    '<title>Portal</title>',
    '<noscript><p>Bitte aktivieren Sie JavaScript in Ihrem Browser.</p></noscript><main></main><script src="/bundle.js"></script>',
  ),
  'a noscript sentence in Chinese': document(
    '<title>门户</title>',
    '<noscript>请启用 JavaScript 以运行此应用。</noscript><div id="app"></div><script src="/js/app.js"></script>',
  ),
  'only a spinner': document(
    '<title>Dashboard</title>',
    '<div id="root"><div class="spinner"><div></div><div></div></div></div><script src="/app.js"></script>',
  ),
  'only the word loading': document(
    '<title>Docsify</title>',
    '<div data-app id="main">Please wait...</div><script src="//cdn.example/docsify.min.js"></script>',
  ),
  'loading with dots': document(
    '<title>Map</title>',
    '<div id="app"><p>Loading…</p></div><script type="module" src="/main.mjs"></script>',
  ),
  'a body with a script alone': document(
    '<title>App</title>',
    '<script src="flutter.js" defer></script>',
  ),
  'an inline script that writes': document(
    '<title>Note</title>',
    '<div id="note"></div><script>fetch("/note.json").then((r)=>r.json()).then((n)=>{document.getElementById("note").textContent=n.text})</script>',
  ),
  'a redirect by a script': document(
    '<title></title>',
    '<script>location.replace("/en/home")</script>',
  ),
  'an interface description': document(
    '<title>API</title><link rel="stylesheet" href="swagger-ui.css">',
    '<div id="swagger-ui"></div><script src="swagger-ui-bundle.js"></script><script>SwaggerUIBundle({url:"/openapi.json",dom_id:"#swagger-ui"})</script>',
  ),
  'a document by a custom element': document(
    '<title>API</title>',
    '<redoc spec-url="/openapi.yaml"></redoc><script src="https://cdn.example/redoc.standalone.js"></script>',
  ),
  'a page that says it in the body': document(
    '<title>JavaScript is not available.</title>',
    '<div id="react-root"><div><h1>JavaScript is not available.</h1><p>We’ve detected that JavaScript is disabled in this browser. Please enable JavaScript or switch to a supported browser to continue.</p></div></div><script src="/main.js"></script>',
  ),
  'a shell with header and footer': document(
    '<title>Store</title><script defer src="/app.js"></script>',
    '<header><a href="/">Store</a></header><nav><a href="/a">Men</a><a href="/b">Women</a></nav><div id="root"></div><footer>© 2026 Store. Imprint, privacy.</footer>',
  ),
  'a shell beside a banner about cookies': document(
    '<title>Shop</title><script defer src="/app.js"></script>',
    '<div class="cookies"><p>We use cookies to make this site work and to understand how you use it.</p><button>Accept</button></div><div id="app"></div>',
  ),
  'a shell with its state in JSON': document(
    '<title>Feed</title>',
    `<div id="__next"></div><script id="__NEXT_DATA__" type="application/json">{"props":{"text":"${SENTENCE.repeat(20)}"}}</script><script src="/_next/static/chunks/main.js" defer></script>`,
  ),
  'a browser check': document(
    '<title>Just a moment...</title>',
    '<h1>Checking your browser</h1><noscript><p>Enable JavaScript and cookies to continue</p></noscript><script src="/cdn-cgi/challenge.js"></script>',
  ),
  'an old frame of a toolkit': document(
    '<title>Inbox</title><script src="inbox.nocache.js"></script>',
    '<iframe src="javascript:\'\'" id="__gwt_historyFrame" style="width:0;height:0;border:0"></iframe><noscript><div>Your web browser must have JavaScript enabled in order for this application to display correctly.</div></noscript>',
  ),
  'the text for search engines in noscript': document(
    '<title>Forum</title><script src="/ember.js"></script>',
    `<noscript><h1>Topic</h1><p>${SENTENCE.repeat(8)}</p><p>Powered by a forum, best viewed with JavaScript enabled</p></noscript><section id="main"></section>`,
  ),
  'a table that a script fills': document(
    '<title>Prices</title>',
    '<h1>Prices</h1><table id="prices"><tbody></tbody></table><script src="/prices.js"></script>',
  ),
};

const DOES_NOT: Readonly<Record<string, string>> = {
  'an article': document('<title>Ferry</title>', `<h1>Ferry</h1><p>${SENTENCE.repeat(10)}</p>`),
  'an article with trackers': document(
    `<title>Ferry</title>${TAGS}`,
    `${PIXEL}${TAG_FRAME}<h1>Ferry</h1><p>${SENTENCE.repeat(10)}</p>`,
  ),
  'react from a server, with hydration data': document(
    '<title>Ferry</title><script src="/_next/static/main.js" defer></script>',
    `<div id="__next"><main><h1>Ferry</h1><p>${SENTENCE.repeat(10)}</p></main></div><script id="__NEXT_DATA__" type="application/json">{"props":{}}</script>`,
  ),
  'a short page of react from a server': document(
    '<title>Hours</title><script src="/_next/static/main.js" defer></script>',
    '<div id="__next"><main><h1>Opening hours</h1><p>Monday to Friday, 9 to 17.</p></main></div><script id="__NEXT_DATA__" type="application/json">{"props":{}}</script>',
  ),
  'nuxt from a server that wants scripts for comments': document(
    '<title>Post</title>',
    `<div id="__nuxt"><article><h1>Post</h1><p>${SENTENCE.repeat(4)}</p></article><div id="comments"></div><noscript>Please enable JavaScript to view the comments.</noscript></div><script src="/_nuxt/entry.js" type="module"></script>`,
  ),
  'a short post with comments by scripts': document(
    '<title>Release</title>',
    '<article><h1>Version 2.1</h1><p>Fixes the export of tables.</p></article><div id="disqus_thread"></div><script src="https://comments.example/embed.js"></script><noscript>Please enable JavaScript to view the comments.</noscript>',
  ),
  ok: '<html><body>OK</body></html>',
  'ok with a tracker': document(`<title>Status</title>${TAGS}`, `<p>OK</p>${PIXEL}`),
  'nothing at all': '<html><head><title>Empty</title></head><body></body></html>',
  'a mount without scripts': document('<title>Broken</title>', '<div id="root"></div>'),
  'data alone': document(
    '<title></title>',
    '<script type="application/ld+json">{"@type":"Thing"}</script>',
  ),
  'a refresh by meta': document(
    '<title>Moved</title><meta http-equiv="refresh" content="0; url=/new">',
    '<p>This page has moved. <a href="/new">Continue</a></p>',
  ),
  'a refresh by meta without words': document(
    '<meta http-equiv="refresh" content="0; url=/new">',
    '',
  ),
  'a wall of cookies': document(
    `<title>Before you continue</title>${TAGS}`,
    '<form action="/consent" method="post"><h1>Before you continue</h1><p>We and our 812 partners store and access information on your device, such as cookies, and process personal data to show you ads and measure them. You can accept or refuse, and change this later.</p><button>Accept all</button><button>Reject all</button></form>',
  ),
  'a sign-in': document(
    '<title>Sign in</title><script src="/js/login.js"></script>',
    '<form method="post"><label>User name <input name="u"></label><label>Password <input type="password" name="p"></label><button>Sign in</button></form>',
  ),
  frames:
    '<html><head><title>Old</title></head><frameset cols="20%,80%"><frame src="menu.html"><frame src="main.html"></frameset></html>',
  'a list of files': document(
    '<title>Index of /pub</title>',
    '<h1>Index of /pub</h1><pre><a href="a.tar.gz">a.tar.gz</a> 2026-01-02 4M\n<a href="b.tar.gz">b.tar.gz</a> 2026-01-03 5M</pre>',
  ),
  'documentation that says how to enable JavaScript': document(
    '<title>Help</title><script src="/site.js"></script>',
    `<article><h1>How to enable JavaScript</h1><p>Open the settings, choose Site settings, and allow JavaScript for all sites.</p><p>${SENTENCE.repeat(4)}</p></article>`,
  ),
  'a page with an empty place for dialogs': document(
    '<title>Team</title><script src="/widgets.js"></script>',
    `<h1>Team</h1><p>${SENTENCE.repeat(3)}</p><div id="modal-root"></div><div id="app"></div>`,
  ),
  'a picture with a tracker': document(
    `<title>Sunset</title>${TAGS}`,
    '<img src="/sunset.jpg" alt="Sunset">',
  ),
  'a page that is not there': document(
    '<title>404</title><script src="/site.js"></script>',
    '<h1>Not found</h1><p>There is no such page. Go to the <a href="/">start</a>.</p>',
  ),
  'a short page in Chinese': document(
    `<title>公告</title>${TAGS}`,
    '<h1>停水通知</h1><p>十一月三十日上午九时至下午五时停水，请提前储水。</p>',
  ),
};

/** Written down after the rule had been fixed for those above. */
const LATER_NEEDS: Readonly<Record<string, string>> = {
  'a shell with long inline configuration': document(
    '<title>Console</title><script>window.env={"api":"https://api.example","flags":["a","b"]}</script>',
    '<div class="root" id="root"></div><script src="/static/runtime.js"></script>',
  ),
  'a svelte app': document(
    '<title>Board</title>',
    '<div style="display: contents"><script>{__sveltekit_1={base:""};Promise.all([import("/_app/start.js")])}</script></div>',
  ),
  'a shell with a skip link and a logo': document(
    '<title>Docs</title>',
    '<a href="#content">Skip to content</a><div id="app"><img src="/logo.svg" alt=""></div><script type="module" src="/m.js"></script>',
  ),
  'a request for scripts in French': document(
    '<title>Service</title><script src="/app.js"></script>',
    '<noscript><strong>Désolé, ce service a besoin de JavaScript pour fonctionner.</strong></noscript><div id="service-root"></div>',
  ),
  'a warning in the body, hidden by scripts': document(
    '<title>Jobs</title><script src="/jobs.js"></script>',
    '<div class="no-js">JavaScript is required to view this page.</div><div id="jobs"></div>',
  ),
  'a skeleton of grey boxes': document(
    '<title>News</title><script src="/news.js" defer></script>',
    '<header>News</header><main id="main"><div class="skeleton"></div><div class="skeleton"></div></main>',
  ),
  'a statement of the terms below an empty app': document(
    '<title>Tickets</title><script src="/t.js" defer></script>',
    '<div id="app"></div><p>By using this site you accept the terms.</p><footer>Tickets Ltd</footer>',
  ),
  'a form that a script draws': document(
    '<title>Survey</title>',
    '<div id="survey-container">Loading survey…</div><script src="//forms.example/embed.js"></script>',
  ),
  'a document viewer': document(
    '<title>Report</title>',
    '<div class="viewer"><div class="toolbar"><button>Print</button></div><div class="pages"></div></div><script src="viewer.js"></script>',
  ),
  'a page of web components': document(
    '<title>Portal</title><script type="module" src="/portal.js"></script>',
    '<my-portal theme="light"></my-portal>',
  ),
};
const LATER_DOES_NOT: Readonly<Record<string, string>> = {
  'an astro page with an island': document(
    '<title>Guide</title><script type="module" src="/_astro/h.js"></script>',
    `<main><h1>Guide</h1><p>${SENTENCE.repeat(5)}</p><astro-island uid="1"></astro-island></main>`,
  ),
  'a product page with reviews by scripts': document(
    '<title>Kettle</title><script src="/shop.js"></script>',
    '<h1>Kettle</h1><p>1.7 litres, steel, 39 euros. In stock, delivered in two days.</p><div id="reviews"></div>',
  ),
  'a game of one canvas with instructions': document(
    '<title>Game</title><script src="/game.js"></script>',
    `<h1>Game</h1><canvas></canvas><p>Use the arrow keys to move and the space bar to jump. ${SENTENCE.repeat(3)}</p>`,
  ),
  'an error of a server': document('<title>500</title>', '<h1>Internal Server Error</h1>'),
  'a thank-you': document(
    `<title>Thanks</title>${TAGS}`,
    `<h1>Thank you!</h1><p>We have received your message.</p>${PIXEL}`,
  ),
  'a wiki page that asks for scripts in its editor only': document(
    '<title>Wiki</title><script src="/wiki.js"></script>',
    `<h1>Harbour</h1><p>${SENTENCE.repeat(6)}</p><noscript>Editing needs JavaScript.</noscript>`,
  ),
  'a parked domain': document(
    `<title>example.example</title>${TAGS}`,
    '<p>This domain is for sale. Contact the owner.</p>',
  ),
  'a page of captions without a main element': document(
    '<title>Gallery</title><script src="/lightbox.js"></script>',
    '<figure><img src="1.jpg" alt=""><figcaption>Harbour in May</figcaption></figure><figure><img src="2.jpg" alt=""><figcaption>Old pier</figcaption></figure>',
  ),
  'a status page with an empty incident list': document(
    '<title>Status</title><script src="/status.js"></script>',
    '<h1>All systems operational</h1><ul id="incidents"></ul>',
  ),
  'a server page with an empty alert element': document(
    '<title>Account</title><script src="/a.js"></script>',
    `<x-alert></x-alert><h1>Terms</h1><p>${SENTENCE.repeat(2)}</p>`,
  ),
};

const pages = (all: Readonly<Record<string, string>>, needs: boolean): ScriptedPage[] =>
  Object.entries(all).map(([name, html]) => ({ name, needs, html }));

export const SCRIPTED_PAGES: readonly ScriptedPage[] = [
  ...pages(NEEDS, true),
  ...pages(DOES_NOT, false),
  ...pages(LATER_NEEDS, true),
  ...pages(LATER_DOES_NOT, false),
];
