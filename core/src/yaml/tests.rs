use proptest::prelude::*;
use serde_json::json;

use super::*;

/// A text and the value that the controller's library reads from it.
#[track_caller]
fn check(text: &str, expect: Value) {
    assert_eq!(parse(text), Ok(expect), "{text:?}");
}

/// A text that the library refuses, and where.
#[track_caller]
fn refuse(text: &str, problem: Problem, line: usize, column: usize) {
    let error = parse(text).unwrap_err();
    assert_eq!((&error.problem, error.span.line, error.span.column), (&problem, line, column), "{text:?}");
}

#[track_caller]
fn check_write(value: Value, expect: &str) {
    assert_eq!(write(&value), expect);
    assert_eq!(parse(expect), Ok(value));
}

#[test]
fn scalars_are_of_yaml_1_1() {
    let cases = json!({
        "yes": true, "y": true, "On": true, "off": false, "yEs": "yEs", "~": null, "": null,
        "0644": 420, "0o17": 15, "0x1F": 31, "0b11": 3, "-0b1": -1, "0b-1": -1, "08": 8, "1_000": 1000, "_1": "_1",
        "1e3": 1000, "1.5": 1.5, ".5": 0.5, ".1_0": 0.1, ".1_": ".1_", "1.": 1, "-0.0": 0, "1e400": "1e400",
        "18446744073709551615": u64::MAX, "0xFFFFFFFFFFFFFFFFFF": "0xFFFFFFFFFFFFFFFFFF",
        "2024-10-01": "2024-10-01", "190:20:30": "190:20:30", "<<": "<<", "=": "=",
        "!!str 1": "1", "!!int \"3\"": 3, "!!float 3": 3, "! 1": "1", "!custom 1": "1", "!!binary aGk=": "hi",
    });
    for (text, expect) in cases.as_object().unwrap() {
        check(&format!("- {text}"), json!([expect]));
    }
    refuse("- .inf", Problem::NotFinite, 1, 3);
    refuse("- !!int 1.5", Problem::TagMismatch { tag: "!!int".into(), text: "1.5".into() }, 1, 3);
    refuse("- !!binary x", Problem::Base64, 1, 3);
}

#[test]
fn keys_are_text_and_the_last_wins() {
    check(
        "1: a\non: b\n0644: c\n1e3: d\n1.5: e\n.inf: f",
        json!({"1": "a", "true": "b", "420": "c", "1000": "d", "1.5": "e", ".inf": "f"}),
    );
    check("{a: 1, a: 2}", json!({"a": 2}));
    refuse("a: 1\n~: 2", Problem::Key { found: "null" }, 2, 1);
    refuse("? [a]\n: b", Problem::Key { found: "a list" }, 1, 3);
}

#[test]
fn anchors_merge_in_document_order() {
    check("a: &m {k: 1}\nb: {k: 9, <<: *m}\nc: {<<: *m, k: 9}", json!({"a": {"k": 1}, "b": {"k": 1}, "c": {"k": 9}}));
    check(
        "{p: &p {x: 1}, q: &q {x: 2, z: 3}, r: {<<: [*p, *q]}}",
        json!({"p": {"x": 1}, "q": {"x": 2, "z": 3}, "r": {"x": 1, "z": 3}}),
    );
    check("a: &x 1\nb: &x 2\nc: *x", json!({"a": 1, "b": 2, "c": 2}));
    check("{\"<<\": 1}", json!({"<<": 1}));
    check("a: &c\n ds: &c [1]\nb: *c", json!({"a": {"ds": [1]}, "b": [1]}));
    refuse("a: &x\n  b: *x", Problem::SelfReference { name: "x".into() }, 2, 6);
    refuse("a: {<<: 1}", Problem::Merge, 1, 9);
    refuse("- kind: *-rules", Problem::UnknownAnchor { name: "-rules".into() }, 1, 9);
    refuse("- *.example", Problem::AliasName, 1, 3);
}

#[test]
fn block_scalars_keep_what_their_header_says() {
    check("a: |\n  x\n  y\n", json!({"a": "x\ny\n"}));
    check("a: |\n  x", json!({"a": "x"}));
    check("a: |+\n  x\n\nb: >-\n  x\n  y\n\n    z\n", json!({"a": "x\n\n", "b": "x y\n\n  z"}));
    check("a: |2\n    x\n  y\n", json!({"a": "  x\ny\n"}));
    check("- |1-\n  x", json!([" x"]));
    refuse("a: |\n\tx", Problem::Tab, 1, 4);
    refuse("a: |x\n", Problem::BlockHeader, 1, 4);
}

#[test]
fn quotes_fold_and_escape() {
    check("'it''s\n\n  two'", json!("it's\ntwo"));
    check("\"a\\\n  b \\u263A\\x41 c\n  d\"", json!("ab ☺A c d"));
    refuse("a: \"\\/\"", Problem::Escape { found: '/' }, 1, 5);
    refuse("\"\\ud83d\\ude00\"", Problem::EscapeCode, 1, 2);
    refuse("a: 'x\n", Problem::Unclosed { quote: '\'' }, 1, 4);
    refuse("'x\n---\n'", Problem::MarkerInQuotes, 2, 1);
}

#[test]
fn structure_is_that_of_the_yaml_1_1_scanner() {
    check("", Value::Null);
    check("# only\n", Value::Null);
    check("\u{feff}%YAML 1.1\n---\na:\tb\n...\n[", json!({"a": "b"}));
    check("- - 1\n  - 2\n-\n- a: 1\n  b:\n  - 2", json!([[1, 2], null, {"a": 1, "b": [2]}]));
    check("{a:1, b, \"c\":2}", json!({"a:1": null, "b": null, "c": 2}));
    check("[a: b, c,]", json!([{"a": "b"}, "c"]));
    check("? a\n: b\n? |\n  c\n: d", json!({"a": "b", "c\n": "d"}));
    check("{}x: y", json!({}));
    refuse("a:\n\tb: 1", Problem::Character { found: '\t' }, 2, 1);
    refuse("a: b: c", Problem::MisplacedValue, 1, 5);
    refuse("a: - b", Problem::MisplacedEntry, 1, 4);
    refuse("a: ? b", Problem::MisplacedKey, 1, 4);
    refuse("a: 1\nb\nc: 1", Problem::MissingColon, 2, 1);
    refuse("a: @x", Problem::Character { found: '@' }, 1, 4);
    refuse("a: {b: 1\n", Problem::Expected { what: "`,` or `}`" }, 2, 1);
    refuse("%YAML 1.2\n---\na", Problem::Version, 1, 1);
    refuse("a: b\u{7}", Problem::ControlCharacter { code: 7 }, 1, 5);
    refuse("!h!x a", Problem::TagHandle { handle: "!h!".into() }, 1, 1);
    let (short, long) = ("k".repeat(1024), "k".repeat(1025));
    check(&format!("{short}: 1"), json!({short: 1}));
    refuse(&format!("a: 1\n{long}: 1"), Problem::MissingColon, 2, 1);
}

#[test]
fn bytes_may_be_utf_16() {
    let utf16 =
        |text: &str| [0xFF, 0xFE].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect::<Vec<_>>();
    assert_eq!(parse_bytes(&utf16("a: 😀")), Ok(json!({"a": "😀"})));
    assert_eq!(parse_bytes(b"\xEF\xBB\xBFa: 1"), Ok(json!({"a": 1})));
    let error = parse_bytes(b"a: 1\nb: \xFF").unwrap_err();
    assert_eq!((error.problem, error.span.line, error.span.column), (Problem::NotUtf8, 2, 4));
}

#[test]
fn streams_and_lists_are_flattened_with_their_places() {
    let places = |text: &str| -> Vec<(Value, usize)> {
        objects(text).unwrap().into_iter().map(|found| (found.value, found.span.line)).collect()
    };
    assert_eq!(places("---\n# x\na: 1\n---\n---\n\nb: 2\n...\n"), [(json!({"a": 1}), 3), (json!({"b": 2}), 7)]);
    let list =
        "apiVersion: v1\nkind: List\nitems:\n- {kind: A}\n-\n- kind: BList\n  apiVersion: g/v1\n  items: [{x: 1}]\n";
    assert_eq!(
        places(list),
        [(json!({"kind": "A", "apiVersion": "v1"}), 4), (json!({"x": 1, "kind": "B", "apiVersion": "g/v1"}), 6)]
    );
    assert_eq!(places("{\"kind\":\"PodList\",\"items\":[\n{\"a\":1}\n]}"), [(json!({"a": 1, "kind": "Pod"}), 2)]);
    assert_eq!(places("{\"a\": \"\\ud83d\\ude00\\/\"}"), [(json!({"a": "😀/"}), 1)]);
    assert_eq!(places("kind: WatchList\nspec: 1"), [(json!({"kind": "WatchList", "spec": 1}), 1)]);
    let error = parse_stream("a: 1\n---\nb: *-x\n").unwrap_err();
    assert_eq!(error.to_string(), "line 3, column 4: no anchor is called `-x`");
    let finding = error.to_diagnostic();
    assert_eq!((finding.code.as_ref(), finding.source.and_then(|at| at.span)), ("yaml.alias", Some(error.span)));
}

#[test]
fn strings_are_quoted_as_the_library_does() {
    for text in ["a:b", "=", "--", "-x", "<<", "1e400", "0b", "_1", "it's", "a\u{a0}b", "1:60", "C:\\x", "a#b", "q\""] {
        check_write(json!([text]), &format!("- {text}\n"));
    }
    for text in ["-", "a #b", "*x", "%x", "? a", "a:", " ", "---", "a ", "{{ x }}", "a\u{2028}b"] {
        assert_eq!(write(&json!([text])).replace("\u{2028}  ", "\u{2028}"), format!("- '{text}'\n"));
    }
    for text in
        ["", "yes", "~", "08", "1:30", "2024-10-01", "2024-1-1T1:2:3.5+01:00", "2024-1-1 1:2:3", "0x1F", ".5", "1__0"]
    {
        check_write(json!([text]), &format!("- \"{text}\"\n"));
    }
    check_write(json!("a\tb"), "\"a\\tb\"\n");
    check_write(json!("😀\u{7f}"), "\"\\U0001F600\\x7F\"\n");
    check_write(json!("\u{feff}a"), "\"\\uFEFF\\x61\"\n");
    assert_eq!(write(&json!("a \u{85} b\u{85}\u{85}c")), "|-\n  a b\n  c\n");
}

#[test]
fn text_of_several_lines_is_a_literal_block() {
    check_write(json!({"v": "a\n\nb"}), "v: |-\n  a\n\n  b\n");
    check_write(json!({"v": "\n a\n\n"}), "v: |2+\n\n   a\n\n");
    check_write(json!({"v": "a \nb"}), "v: \"a \\nb\"\n");
    check_write(json!([{"a": "x\ny"}, "p\nq\n"]), "- a: |-\n    x\n    y\n- |\n  p\n  q\n");
    check_write(json!({"x\ny": [1]}), "? |-\n  x\n  y\n: - 1\n");
}

#[test]
fn long_text_is_folded_after_column_80() {
    let words = "word ".repeat(20);
    let line = "word ".repeat(16);
    assert_eq!(write(&json!({"v": words.trim_end()})), format!("v: {}\n  word word word word\n", line.trim_end()));
    assert_eq!(
        write(&json!({"v": format!("{words}\"\t")})),
        format!("v: \"{}\n  word word word word \\\"\\t\"\n", line.trim_end())
    );
}

#[test]
fn numbers_are_written_as_go_does() {
    let cases = [
        (1e21, "1e+21"),
        (1e20, "1e+20"),
        (1e19, "10000000000000000000"),
        (1e-7, "1e-07"),
        (0.0001, "0.0001"),
        (0.00001, "1e-05"),
        (1234567.5, "1.2345675e+06"),
        (-0.0, "0"),
        (2.0, "2"),
        (0.1, "0.1"),
        (-1.5, "-1.5"),
        (9_223_372_036_854_775_807i64 as f64, "9223372036854776000"),
        (f64::from_bits(0x4303_9316_152E_2CEA), "6.887184514267172e+14"),
    ];
    for (float, expect) in cases {
        assert_eq!(write(&json!(float)), format!("{expect}\n"));
    }
    check_write(json!([u64::MAX, i64::MIN]), "- 18446744073709551615\n- -9223372036854775808\n");
}

#[test]
fn collections_are_indented_as_the_library_does() {
    check_write(
        json!({"v": [1, [2, [3]], {"k": [{}], "l": {"m": []}}]}),
        "v:\n- 1\n- - 2\n  - - 3\n- k:\n  - {}\n  l:\n    m: []\n",
    );
    let key = "k".repeat(129);
    check_write(json!({&key: {"a": 1, "b": 2}}), &format!("? {key}\n: a: 1\n  b: 2\n"));
    check_write(json!({"on": null, "": true}), "\"\": true\n\"on\": null\n");
}

#[test]
fn what_is_too_much_is_refused_in_time() {
    let problem = |text: &str| parse(text).unwrap_err().problem;
    for open in ["[", "{a: ", "- ", "? ", "- [", "&a ["] {
        assert_eq!(problem(&open.repeat(100_000)), Problem::TooDeep, "{open:?}");
    }
    assert!(parse(&format!("{}{}", "[".repeat(100), "]".repeat(100))).is_ok());
    assert_eq!(problem(&"[".repeat(101)), Problem::TooDeep);
    assert_eq!(problem(&" ".repeat(MAX_TEXT_BYTES + 1)), Problem::TooLong);
    assert_eq!(problem(&format!("[{}", "1,".repeat(1_000_001))), Problem::TooLarge);

    let mut laughs = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n".to_owned();
    for level in 1..20 {
        let list = vec![format!("*a{}", level - 1); 9].join(", ");
        laughs.push_str(&format!("a{level}: &a{level} [{list}]\n"));
    }
    assert_eq!(problem(&laughs), Problem::TooLarge);
    let long = format!("- &a {}\n{}", "x".repeat(1 << 20), "- *a\n".repeat(90));
    assert_eq!(problem(&long), Problem::TooLarge);

    let mut deep = Value::Null;
    for _ in 0..1000 {
        deep = json!([deep]);
    }
    assert_eq!(write(&deep).lines().count(), 1);
}

/// Any JSON value, with texts that YAML has to quote.
fn any_value() -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        "[ -~]{0,12}",
        "[-a:#'\"\\\\ \n\t.0-9]{0,20}",
        "(word:? ?){0,40}",
        "[a\u{a0}\u{2028}\u{2029}\u{feff}é😀\r\n \u{1b}\u{7f}]{0,8}",
        "(y|no|~|null|[0-9_.:eExob+-]{1,6}|2024-0[0-9]-1)",
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (-1_000_000i32..1_000_000).prop_map(|int| Value::from(f64::from(int) / 8.0)),
        text.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(text.clone(), inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// The value with whole floats as integers, for YAML does not tell them apart.
fn with_whole_floats_as_integers(value: Value) -> Value {
    match value {
        Value::Number(number) if number.is_f64() => {
            number.as_f64().and_then(scalar::whole).map_or(Value::Number(number), |whole| whole.into_value().unwrap())
        }
        Value::Array(list) => list.into_iter().map(with_whole_floats_as_integers).collect(),
        Value::Object(map) => map.into_iter().map(|(key, item)| (key, with_whole_floats_as_integers(item))).collect(),
        other => other,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn what_is_written_reads_back(value in any_value()) {
        let text = write(&value);
        prop_assert_eq!(parse(&text), Ok(with_whole_floats_as_integers(value)), "{}", text);
    }

    #[test]
    fn json_is_yaml(value in any_value()) {
        let text = value.to_string();
        prop_assume!(!text.contains(['\u{7f}', '\u{2028}', '\u{2029}']) && !text.contains("\\/"));
        prop_assert_eq!(parse(&text), Ok(with_whole_floats_as_integers(value)), "{}", text);
    }

    #[test]
    fn nothing_panics(bytes in prop::collection::vec(any::<u8>(), 0..64), text in "[-a:?#'\"\\\\\\[\\]{},&*!|>%@ \n\t<\u{85}\u{2028}]{0,40}") {
        let _ = parse_bytes(&bytes);
        let _ = objects(&text);
    }
}
