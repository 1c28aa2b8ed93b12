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
        ("la rÃ©flexion jusqu'Ã nos jours", "la réflexion jusqu'à nos jours"),
        ("com atenÃ§Ã£o Ã s crianÃ§as", "com atenção às crianças"),
        ("comme dans l’humanitÃ©, sans", "comme dans l’humanité, sans"),
        ("it isn\u{92}t \u{93}safe\u{94}", "it isn’t “safe”"),
        ("Sch=F6ne Gr=FC=DFe f=FCr Sie", "Schöne Grüße für Sie"),
        ("sch=C3=B6n und gr=C3=BCn", "schön und grün"),
        ("Sch&#246;ne Gr&#252;&#223;e", "Schöne Grüße"),
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
        "&eacute; &#233; %C3%A9 =C3=A9",
        "a=1&b=FC; c=FD",
        "tur\u{92}stico",
        "Ôôô VIDA",
        "SELKÄ\u{A0}EDELLÄ\u{A0}MAAHAN",
        "5×£35",
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
