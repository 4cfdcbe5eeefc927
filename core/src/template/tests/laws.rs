//! Laws that hold for any text.

use proptest::prelude::*;

use super::*;

/// Pieces of which templates are made, put together without sense.
fn soup() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "{{",
        "}}",
        "{{-",
        "-}}",
        " ",
        "\n",
        "(",
        ")",
        "|",
        ",",
        ":=",
        "=",
        "$",
        "$x",
        ".",
        ".HCO",
        ".Params.role",
        "..",
        "if",
        "else",
        "else if",
        "end",
        "range",
        "with",
        "define",
        "block",
        "template",
        "break",
        "continue",
        "nil",
        "true",
        "0",
        "1",
        "-1",
        "1.5",
        "0x",
        "1e9",
        "9223372036854775807",
        "'a'",
        "\"a\"",
        "`b`",
        "\"%5.1v%[2]*d\"",
        "/*",
        "*/",
        "print",
        "printf",
        "index",
        "slice",
        "dict",
        "list",
        "set",
        "merge",
        "toJson",
        "fromJson",
        "toYaml",
        "fromYaml",
        "repeat",
        "substr",
        "wrap",
        "snakecase",
        "camelcase",
        "chunk",
        "round",
        "uniq",
        "dig",
        "has",
        "b64dec",
        "b32dec",
        "and",
        "or",
        "eq",
        "lt",
        "len",
        "call",
        "é",
        "\u{0}",
        "\u{2028}",
        "☃",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.join(" ").replace("{ {", "{{"))
}

/// One call of a function with arguments of any type.
fn call() -> impl Strategy<Value = String> {
    let names: Vec<&str> = "upper lower title untitle repeat substr nospace trim trimAll trimSuffix trimPrefix replace \
        plural snakecase camelcase kebabcase contains hasPrefix hasSuffix quote squote cat indent nindent wrap wrapWith \
        default empty coalesce ternary toString toStrings toJson toPrettyJson toRawJson fromJson list append prepend \
        first rest last initial reverse uniq without compact slice concat chunk splitList join dict set unset hasKey \
        pluck merge mergeOverwrite keys pick omit values add add1 sub div mod mul max min floor ceil round b64enc b64dec \
        b32enc b32dec dig has hasAnnotation crdEnum crdHasEnum objectExists prometheusRuleHasRecordingRule \
        getConfigMapData storageProfileRWXClass readAsset gzip fromYaml toYaml and or not call index len eq ne lt le gt \
        ge print println printf html js urlquery"
        .split_whitespace()
        .collect();
    let argument = prop::sample::select(vec![
        "nil",
        "1",
        "-1",
        "0",
        "3",
        "1.5",
        "-0.0",
        "1e300",
        "\"\"",
        "\"a b\"",
        "\"é☃\"",
        "\"[1,{}]\"",
        "\"a: [b]\"",
        "true",
        "(list)",
        "(list 1 \"a\" nil)",
        "(dict)",
        "(dict \"a\" (dict \"b\" 1))",
        "(rest (list))",
        "(b64dec \"/8P/\")",
        ".HCO",
        ".HCO.Object",
        ".Params",
        ".Topology",
        ".HCO.Object.spec.nothing",
        ".HCO.Object.spec.list",
        "(add 1 2)",
        "\"%[3]*.[2]*[1]f|%+q|% x|%#v|%U\"",
        "9223372036854775807",
        "-9223372036854775808",
        "(index \"a\" 0)",
        "1i",
        "(chunk 2 (list 1 2 3))",
        "\"spec.profiles\"",
        "\"widgets.example.com\"",
    ]);
    (prop::sample::select(names), prop::collection::vec(argument, 0..5))
        .prop_map(|(name, arguments)| format!("{{{{ {name} {} }}}}", arguments.join(" ")))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn any_text_is_answered(text in any::<String>()) {
        let _ = World::recorded().render(&text);
    }

    #[test]
    fn any_soup_is_answered(text in soup()) {
        let _ = World::recorded().render(&text);
    }

    #[test]
    fn any_call_is_answered(text in call()) {
        let world = World::recorded();
        // And always alike.
        prop_assert_eq!(world.render(&text), world.render(&text));
    }

    #[test]
    fn plain_text_stays(text in "[^{]*") {
        prop_assert_eq!(World::recorded().render(&text).unwrap(), text);
    }

    #[test]
    fn quoted_text_comes_back(text in any::<String>()) {
        let quoted = text::quote_lossy(text.as_bytes());
        prop_assert_eq!(World::recorded().render(&format!("{{{{ {quoted} }}}}")).unwrap(), text);
    }

    #[test]
    fn floats_read_back(float in any::<f64>().prop_filter("finite", |float| float.is_finite())) {
        let json = World::recorded().render(&format!("{{{{ toJson {float:e} }}}}")).unwrap();
        prop_assert_eq!(json.parse::<f64>().unwrap(), float);
    }
}
