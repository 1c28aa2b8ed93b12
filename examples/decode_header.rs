//! Header text from any mail as text that can be shown, and text as a header value that any mail
//! can carry.
//!
//!     cargo run --example decode_header -- '=?iso-2022-jp?B?GyRCRnxLXBsoQg==?=' '=?iso-8859-1?Q?Gr=FC=DFe?='

use std::env;

fn main() {
    let given: Vec<String> = env::args().skip(1).collect();
    let values = if given.is_empty() {
        vec!["=?utf-8?B?R3LDvMOfZQ==?= aus =?iso-8859-1?Q?K=F6ln?=".into()]
    } else {
        given
    };

    for value in values {
        // Decoding always returns text: anything odd is reported with it, by its place in the
        // value.
        let decoded = sevenbit::decode_header(value.as_bytes());
        println!("read     {}", decoded.text());
        for issue in decoded.issues() {
            let (span, code) = (issue.span(), issue.code());
            println!(
                "  {}  {} (octets {}..{})",
                issue.severity(),
                code.summary(),
                span.start,
                span.end
            );
        }

        // The way back: plain where that is possible, else the shortest encoded-words.
        println!("written  {}", sevenbit::encode_header(decoded.text()));

        // Programs that must not lose anything use the strict form.
        match decoded.into_strict() {
            Ok(text) => println!("lossless {} characters", text.chars().count()),
            Err(error) => println!("lossy    {error}"),
        }
    }
}
