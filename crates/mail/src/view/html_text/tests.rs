use proptest::prelude::*;

use super::html_text;

#[test]
fn html_reads_as_a_person_reads_it() {
    for (html, text) in [
        ("", ""),
        ("plain", "plain\n"),
        ("a&amp;b &lt; c&nbsp;d &#x5b57;", "a&b < c d 字\n"),
        ("<p>one\n  two</p><p>three</p>", "one two\n\nthree\n"),
        ("<div>a</div><div>b<br></div><div><br></div><div>c</div>", "a\nb\n\nc\n"),
        ("a<br>b<br><br>c", "a\nb\n\nc\n"),
        ("<b>bo</b>ld <i> and</i> so", "bold and so\n"),
        ("<ul><li>a<li>b<ol><li>c</li><li>d</li></ol></ul>e", "* a\n* b\n  1. c\n  2. d\n\ne\n"),
        (
            "<p>hi<blockquote>a<br>b<blockquote>c</blockquote></blockquote>me",
            "hi\n\n> a\n> b\n>\n>> c\n\nme\n",
        ),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td></td><th>c</th></tr></table>", "a | b\nc\n"),
        ("<table><tr><td><p>a</p></td><td><p>b</p></td></tr></table>", "a\n\nb\n"),
        ("see <a href=\"https://a.example/x\">this</a>.", "see this <https://a.example/x>.\n"),
        ("<a href=\"https://a.example/\">a.example</a>", "a.example\n"),
        ("<a href='mailto:a@b.example'>a@b.example</a>", "a@b.example\n"),
        ("<a href='javascript:x()'>x</a> <a href='#y'>y</a>", "x y\n"),
        (
            "<a href='https://a.example/pixel'></a><a href='http://b.example'><img alt=Shop></a>",
            "[Shop] <http://b.example>\n",
        ),
        ("<pre>a\n  b\n\nc</pre>", "a\n  b\n\nc\n"),
        ("x<pre>\na\n\n\n\nb\n</pre>c", "x\n\na\n\n\n\nb\n\nc\n"),
        ("<blockquote><pre>a\n\n\n\nb</pre></blockquote>", "> a\n>\n>\n> b\n"),
        ("<ol><li>a<li value=7>b<li>c</ol>", "1. a\n7. b\n8. c\n"),
        (
            "<div>Sale &nbsp;&zwnj; &#847; &shy;</div><div>b<span style='visibility: hidden'>c</span></div>",
            "Sale\nb\n",
        ),
        ("<ol start=3><li>a<li>b</ol><ol start=x><li>c</ol>", "3. a\n4. b\n\n1. c\n"),
        ("<select><option>a<option>b</select><button>c</button><button>d</button>", "a\nb\nc\nd\n"),
        ("<div>a</div><div>&nbsp;</div><div>b</div>", "a\n\nb\n"),
        ("<table><tr><td>a</td><td>&nbsp;</td><td>&nbsp;b&nbsp;</td></tr></table>", "a |  b\n"),
        ("a<hr>b", "a\n---\nb\n"),
        ("<title>no</title><style>no</style><script>a < b</script>yes", "yes\n"),
        ("a<div style='font: x; DISPLAY : none'>b<div>c</div>d</div>e", "ae\n"),
        ("a<span hidden>b</span>c", "ac\n"),
        ("a<div style='display:none'>b", "a\nb\n"),
        ("<!-- a --><!--[if mso]>b<![endif]-->c<![if !mso]>d<![endif]>", "cd\n"),
        ("a </p></div></li></ul></blockquote></a> b", "a\n\nb\n"),
        ("<p>unclosed <a href=http://a.example>link", "unclosed link <http://a.example>\n"),
    ] {
        assert_eq!(html_text(html), text, "{html}");
    }
}

#[test]
fn no_nesting_is_too_deep() {
    for open in
        ["<div>", "<blockquote>", "<table><tr><td>", "<ul><li>", "<a href=http://a.example>", "<b>"]
    {
        let text = html_text(&format!("{}x", open.repeat(100_000)));
        assert!(text.contains('x') && text.len() < 4_000, "{open}: {} octets", text.len());
    }
}

proptest! {
    #[test]
    fn any_html_is_text(html in "(<(div|p|a href=x|li|ul|td|pre|blockquote|style|svg)[ />]?|</(div|p|a|ul|svg)>|[a-z]{1,3}|&[a-z]{2};?| |\n|\\PC|=|'|\"){0,60}") {
        let _ = html_text(&html);
    }
}
