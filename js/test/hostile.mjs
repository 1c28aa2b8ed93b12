// Messages that try to run something, to load something, or to look like part of the page. Each calls `owned()` or requests
// http://attacker.example/ if it gets that far.
const MARKUP = [
  "<script>owned()</script>",
  "<img src=x onerror=owned()>",
  "<img src=http://attacker.example/pixel.gif>",
  "<svg onload=owned()><script>owned()</script></svg>",
  "<svg><image href=http://attacker.example/a.svg></svg>",
  "<iframe src=javascript:owned()></iframe><iframe src=http://attacker.example/></iframe>",
  "<iframe srcdoc='<script>parent.owned()</script>'></iframe>",
  "<object data=http://attacker.example/x></object><embed src=http://attacker.example/y>",
  "<link rel=stylesheet href=http://attacker.example/a.css><link rel=prefetch href=http://attacker.example/b><link rel=preconnect href=http://attacker.example/><link rel=dns-prefetch href=//attacker.example>",
  "<style>@import url(http://attacker.example/c.css); body{background:url(http://attacker.example/d.png)}</style>",
  "<p style='background:url(http://attacker.example/e.png)'>styled</p>",
  "<meta http-equiv=refresh content='0;url=http://attacker.example/refresh'>",
  "<base href=http://attacker.example/><a href=relative id=link>click</a>",
  "<a href=javascript:owned() id=link>click</a><a href=http://attacker.example/click>click</a>",
  "<form action=http://attacker.example/form><input name=a autofocus onfocus=owned()><button id=link>send</button></form>",
  "<video src=http://attacker.example/v autoplay></video><audio src=http://attacker.example/a autoplay></audio>",
  "<details open ontoggle=owned()>x</details><body onload=owned() background=http://attacker.example/bg.png>",
  "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=owned()&gt;'>",
  "<template><script>owned()</script></template><noscript><p title='</noscript><img src=x onerror=owned()>'>",
  "</iframe></body></html><script>top.owned()</script>",
  "<sevenbit-page></sevenbit-page><sevenbit-message></sevenbit-message>",
  "<table background=http://attacker.example/t.png><tr><td background=http://attacker.example/u.png>x",
  "<input type=image src=http://attacker.example/i.png><picture><source srcset=http://attacker.example/s.png><img></picture>",
  "</script></title></textarea></style><script>owned()</script>",
];

const word = (text) => `=?utf-8?B?${Buffer.from(text).toString("base64")}?=`;

/** One as HTML, in every field that is shown, as a file name, a type, a charset, and as text. */
function message(markup, at) {
  const quoted = markup.replace(/["\\]/g, "\\$&");
  return Buffer.from(
    `From: "${quoted}" <${word(markup)}@example.org>\r\nTo: ${word(markup)} <b@example.org>\r\nSubject: ${at % 2 ? markup : word(markup)}\r\n` +
      `X-${at}: ${markup}\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${markup} \xe9\r\n--b\r\n` +
      `Content-Type: text/html; charset="${quoted}"\r\n\r\n${markup}\r\n--b\r\n` +
      `Content-Type: text/plain; charset=iso-8859-1\r\n\r\n${markup} \xe9\r\n--b\r\n` +
      `Content-Type: application/"${quoted}"; name*=utf-8''${encodeURIComponent(markup)}\r\nContent-Disposition: attachment; filename="${quoted}"\r\n\r\n${markup}\r\n--b--\r\n`,
    "latin1",
  );
}

export const hostile = MARKUP.map(message);
