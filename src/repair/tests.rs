use super::{RepairStep, repair_text};

#[test]
fn text_is_put_right() {
    for (wrong, right) in [
        ("schÃ¶ne GrÃ¼ÃŸe", "schöne Grüße"),
        ("KÃƒÂ¶nnten Sie", "Könnten Sie"),
        ("Donâ€™t", "Don’t"),
        ("LunedÃ¬ andrÃ² all'universitÃ  con papÃ .", "Lunedì andrò all'università con papà."),
        ("TambiÃ©n mañana", "También mañana"),
        ("РџСЂРёРІРµС‚", "Привет"),
        ("Ïðèâåò, êàê äåëà?", "Привет, как дела?"),
        ("$BEl5~$NE75$(B", "東京の天気"),
    ] {
        let repaired = repair_text(wrong);
        assert_eq!(repaired.text(), right, "{wrong}: {:?}", repaired.steps());
        assert!(!repair_text(right).is_changed(), "{right}");
    }
}

#[test]
fn text_that_may_be_meant_stays() {
    for text in [
        "ÂNE, ÂME, Â·B",
        "NUMERO × 1024",
        "Chest al è l'ultin tentatîf par inserî la password; l'acès al è stât blocât",
        "Употреба: %s [ОПЦИЯ]… [ФАЙЛ]",
        "НЕМАЄ (Немає)",
        "<未命名>",
        "邊框闊度",
        "(только Berkeley)",
        "CAPITÃ: Ã, Õ, Ç",
        "AMANHÃ…",
        "il a mangé\u{A0}»",
        "4288×…",
        "AHÅ™, the sofa",
        "!YO SÉ¡",
    ] {
        assert_eq!(repair_text(text).text(), text);
    }
}

#[test]
fn each_kind_of_step_is_named_once() {
    let repaired = repair_text("schÃ¶n\nGrÃ¼ÃŸe\n$B$3$s$K$A$O(B");
    let steps: Vec<String> = repaired.steps().iter().map(RepairStep::to_string).collect();
    assert_eq!(steps, ["ISO-2022-JP without its escapes", "UTF-8 that was read as windows-1252"]);
}
