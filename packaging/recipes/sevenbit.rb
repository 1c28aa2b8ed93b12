class Sevenbit < Formula
  desc "Makes mail in any charset normalised and 7-bit safe"
  homepage "https://docs.rs/sevenbit"
  url "https://static.crates.io/crates/sevenbit-cli/sevenbit-cli-@VERSION@.crate"
  sha256 "@SHA256@"
  license any_of: ["MIT", "Apache-2.0"]

  depends_on "rust" => :build

  def install
    system "cargo", "install", *std_cargo_args
    generate_completions_from_executable(bin/"sevenbit", "pages", "completions")
    system bin/"sevenbit", "pages", "man", "--all", man
  end

  test do
    (testpath/"in.eml").binwrite "Subject: caf\xC3\xA9\r\n\r\nhi\r\n"
    system bin/"sevenbit", "normalize", "in.eml", "-o", "out.eml"
    assert_match "=?utf-8?", (testpath/"out.eml").binread
  end
end
