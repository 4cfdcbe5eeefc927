//! The functions of sprig and of the controller.

use super::*;

#[test]
fn arguments_are_typed() {
    check("{{ repeat 2.0 \"a\" }}{{ repeat (len \"ab\") \"b\" }}{{ hasKey nil \"a\" }}{{ keys nil }}", "aabbfalse[]");
    check_error("{{ repeat 2.5 \"a\" }}", Stage::Execute, 1, "expected integer; found 2.5");
    check_error("{{ repeat (add 1 2) \"a\" }}", Stage::Execute, 1, "wrong type for value; expected int; got int64");
    check_error("{{ upper nil }}", Stage::Execute, 1, "cannot assign nil to string");
    check_error(
        "{{ upper .HCO.Object.spec.nothing }}",
        Stage::Execute,
        1,
        "wrong type for value; expected string; got interface {}",
    );
    check_error("{{ .HCO.Object.spec.nothing | upper }}", Stage::Execute, 1, "invalid value; expected string");
    check_error(
        "{{ upper .HCO.Object.spec.zero }}",
        Stage::Execute,
        1,
        "wrong type for value; expected string; got int64",
    );
    check_error(
        "{{ hasKey .Params \"role\" }}",
        Stage::Execute,
        1,
        "expected map[string]interface {}; got map[string]string",
    );
    check_error("{{ hasKey .HCO.Object.spec.nothing \"role\" }}", Stage::Execute, 1, "got interface {}");
    check_error(
        "{{ hasKey \"a\" \"b\" }}",
        Stage::Execute,
        1,
        "can't handle \"a\" for arg of type map[string]interface {}",
    );
    check_error("{{ set nil \"a\" 1 }}", Stage::Execute, 1, "assignment to entry in nil map");
    check_error("{{ default }}", Stage::Execute, 1, "want at least 1 got 0");
    check_error("{{ ternary 1 2 .Params.role }}", Stage::Execute, 1, "expected bool; got string");
    check_error("{{ round 1.2 }}", Stage::Execute, 1, "want at least 2 got 1");
}

#[test]
fn strings() {
    check(
        "{{ title \"o'neil über_x ǆa\" }}|{{ upper \"straße ß\" }}|{{ lower \"İX\" }}|{{ untitle \"Ab\\tCd EF\" }}",
        "O'Neil Über_x ǅa|STRAßE ß|ix|ab\tcd eF",
    );
    check(
        "{{ nospace \" a\\tb \\n\" }}|{{ trim \"\\u00a0 x \" }}|{{ trimAll \"ab\" \"abcba\" }}|{{ trimSuffix \"x\" \"axx\" }}",
        "ab|x|c|ax",
    );
    check("{{ substr 0 100 \"abc\" }}{{ substr 1 -1 \"abc\" }}{{ substr -5 2 \"abc\" }}", "abcbcab");
    check_error("{{ substr 5 2 \"abc\" }}", Stage::Execute, 1, "slice bounds out of range");
    check_error("{{ substr -1 9 \"abc\" }}", Stage::Execute, 1, "slice bounds out of range");
    check_error("{{ indent -1 \"a\" }}", Stage::Execute, 1, "negative Repeat count");
    check(
        "{{ replace \"\" \"-\" \"aé\" }}|{{ replace \"aa\" \"b\" \"aaa\" }}|{{ splitList \"\" \"aé\" }}|{{ splitList \",\" \",\" | len }}",
        "-a-é-|ba|[a é]|2",
    );
    check(
        "{{ quote }}|{{ quote \"a\" nil 1 }}|{{ squote \"a\" nil (list 1) }}|{{ cat \"a\" nil 1 \" b\" }}",
        "|\"a\" \"1\"|'a' '[1]'|a 1  b",
    );
    check("{{ nindent 2 \"a\\nb\\n\" }}|{{ indent 0 \"a\" }}", "\n  a\n  b\n  |a");
    check(
        "{{ wrap 80 \"short\" }}|{{ wrap 0 \"a b\" }}|{{ wrapWith 3 \"-\" \"abcdefgh\" }}|{{ wrap 5 \"  ab cd\" }}",
        "short|a\nb|abc-def-gh|ab cd",
    );
    check("{{ plural \"a\" \"b\" 1.0 }}{{ plural \"a\" \"b\" -1 }}", "ab");
}

#[test]
fn words_are_told_apart() {
    let all = |text: &str, expect: [&str; 3]| {
        let [snake, camel, kebab] = expect;
        let world = World::recorded();
        let made = |function: &str| world.render(&format!("{{{{ {function} {text:?} }}}}")).unwrap();
        assert_eq!([made("snakecase"), made("camelcase"), made("kebabcase")], [snake, camel, kebab], "{text}");
    };
    all("FirstName", ["first_name", "FirstName", "first-name"]);
    all("HTTPServer", ["http_server", "Httpserver", "http-server"]);
    all("NoHTTPS", ["no_https", "NoHTTPS", "no-https"]);
    all("GO_PATH", ["go_path", "GoPath", "go-path"]);
    all("GO PATH-x", ["go_path_x", "GoPathX", "go-path-x"]);
    all("http2xx", ["http_2xx", "Http2xx", "http-2xx"]);
    all("HTTP20xOK", ["http_20x_ok", "Http20xOK", "http-20x-ok"]);
    all("Duration2m3s", ["duration_2m3s", "Duration2m3s", "duration-2m3s"]);
    all("Bld4Floor3rd", ["bld4_floor_3rd", "Bld4Floor3rd", "bld4-floor-3rd"]);
    all("_complex__case_", ["_complex__case_", "_Complex_Case_", "-complex--case-"]);
    all("some_words", ["some_words", "SomeWords", "some-words"]);
    all("-", ["_", "--", "-"]);
    all("", ["", "", ""]);
    all("a.b", ["a.b", "A.b", "a.b"]);
}

#[test]
fn choices_and_conversions() {
    check(
        "{{ default \"d\" }}{{ coalesce nil \"\" 0 \"x\" }}{{ coalesce }}{{ empty .HCO }}{{ empty (list) }}",
        "dx<no value>falsetrue",
    );
    check("{{ .HCO.Object.spec.nothing | default \"n\" }}{{ 0 | default 5 }}{{ ternary 1 2 true }}", "n51");
    check(
        "{{ toString .HCO.Object.spec.whole }}{{ toStrings \"a\" }}{{ toStrings nil }}{{ toStrings (list 1 nil \"b\") }}",
        "2[a][][1 b]",
    );
    check(
        "{{ join \",\" (list 1 nil \"a\") }}|{{ join \"-\" \"x\" }}|{{ list 1 2 | join \"+\" }}|{{ join \",\" .Params }}",
        "1,a|x|1+2|map[role:worker size:3]",
    );
}

#[test]
fn json_is_gos() {
    check("{{ toRawJson .HCO | contains \"a <b>\" }}{{ toRawJson .HCO.Object | contains \"a <b>\" }}", "falsetrue");
    check(
        "{{ toYaml (dict \"a\u{7f}\" 1) }}{{ toYaml (dict (repeat 1023 \"k\") 1) }}|{{ toYaml (dict \"a\" 1) }}",
        "|a: 1",
    );
    check("{{ toJson \"<a&b>\" }}{{ toRawJson \"<a&b>\" }}", "\"\\u003ca\\u0026b\\u003e\"\"<a&b>\"");
    check(
        "{{ toJson (list 1 2.0 1e21 1e-7 0.000001 nil true) }}{{ toJson (rest (list)) }}{{ toJson .Params }}",
        "[1,2,1e+21,1e-7,0.000001,null,true]null{\"role\":\"worker\",\"size\":\"3\"}",
    );
    check(
        "{{ toPrettyJson (dict \"a\" (list) \"b\" (dict) \"c\" (list 1)) }}",
        "{\n  \"a\": [],\n  \"b\": {},\n  \"c\": [\n    1\n  ]\n}",
    );
    check(
        "{{ toJson 1i }}|{{ toJson .Hardware }}",
        "|{\"PCIDevicesPresent\":true,\"NUMANodesPresent\":false,\"VFIOCapable\":false,\"USBDevicesPresent\":false,\"GPUPresent\":false}",
    );
    check(
        "{{ fromJson \"x\" }}|{{ fromJson \"1\" }}|{{ (fromJson `{\"a\":{\"b\":[1,2.5]}}`).a.b }}|{{ fromJson \"\" }}",
        "<no value>|1|[1 2.5]|<no value>",
    );
    check("{{ fromJson \"1000000\" }} {{ fromJson `{\"a\":1,\"a\":2}` }}", "1e+06 map[a:2]");
    check_error("{{ toRawJson 1i }}", Stage::Execute, 1, "unsupported type");
    check_error("{{ eq (fromJson \"1\") 1 }}", Stage::Execute, 1, "incompatible types for comparison: float64 and int");
}

#[test]
fn lists() {
    check(
        "{{ first (list) }}|{{ last (list) }}|{{ rest (list) }}|{{ initial (list) }}|{{ rest (list 1) }}",
        "<no value>|<no value>|[]|[]|[]",
    );
    check("{{ uniq (list 1 1.0 \"1\" 1 nil nil (list 1) (list 1) (dict) (dict)) }}", "[1 1 1 <nil> [1] map[]]");
    check(
        "{{ without (list 1 2 3) 1 3 }}{{ without (list 1) }}{{ compact (list 0 1 \"\" false nil (list) (dict)) }}",
        "[2][1][1]",
    );
    check(
        "{{ slice (list 1 2 3) }}{{ slice (list 1 2 3) 1 }}{{ slice (list 1 2 3) \"1\" 2.9 }}{{ slice (list) 3 }}",
        "[1 2 3][2 3][2]<no value>",
    );
    check("{{ slice (slice (list 1 2 3 4) 0 2) 0 4 }}", "[1 2 3 4]");
    check(
        "{{ concat }}|{{ concat (list 1) (splitList \",\" \"a,b\") }}|{{ concat (list) | toJson }}",
        "[]|[1 a b]|null",
    );
    check("{{ chunk 2 (list) }}{{ chunk 3 (list 1 2 3) }}{{ chunk 10 (list 1) }}", "[][[1 2 3]][[1]]");
    check(
        "{{ $x := list 1 2 }}{{ $y := append $x 3 }}{{ $z := prepend $y 0 }}{{ $x }}{{ $y }}{{ $z }}{{ reverse $z }}",
        "[1 2][1 2 3][0 1 2 3][3 2 1 0]",
    );
    check(
        "{{ has 1 (list 1 2) }}{{ has 1.0 (list 1) }}{{ has nil (list nil) }}{{ has \"x\" \"xyz\" }}{{ has \"a\" (splitList \",\" \"a\") }}{{ has (list) (list 1) }}",
        "truefalsetruefalsetruefalse",
    );
    for bad in [
        "first nil",
        "append nil 1",
        "first 1",
        "concat 1",
        "slice (list 1) 2 1",
        "slice (list 1) -1",
        "chunk 0 (list 1)",
        "chunk -2 (list 1 2 3 4 5)",
        "has (list) (list (list))",
        "reverse \"a\"",
    ] {
        check_error(&format!("{{{{ {bad} }}}}"), Stage::Execute, 1, "error calling");
    }
}

#[test]
fn maps_are_shared() {
    check(
        "{{ $d := dict \"a\" 1 }}{{ $e := $d }}{{ $_ := set $e \"b\" 2 }}{{ $d }}{{ $_ := unset $d \"a\" }}{{ $e }}",
        "map[a:1 b:2]map[b:2]",
    );
    check(
        "{{ $_ := set .HCO.Object.spec.map \"alpha\" 9 }}{{ .HCO.Object.spec.map.alpha }}{{ $.HCO.Object.spec.map }}",
        "9map[10:4 9:5 Beta:3 alpha:9 zeta:1]",
    );
    check(
        "{{ $s := .HCO.Object.spec }}{{ $_ := unset .HCO.Object.spec \"map\" }}{{ hasKey $s \"map\" }}{{ $_ := set .HCO.Object.metadata \"name\" \"new\" }}{{ .HCO.GetName }}",
        "falsenew",
    );
    check(
        "{{ dict \"a\" }}{{ dict 1 2 nil 3 }}{{ pluck \"a\" (dict \"a\" 1) (dict) }}{{ values (dict \"b\" 1 \"a\" 2) }}{{ keys (dict \"b\" 1) (dict \"a\" 2) }}",
        "map[a:]map[1:2 <nil>:3][1][2 1][b a]",
    );
    check(
        "{{ pick .HCO.Object.spec.map \"alpha\" \"no\" }}{{ omit (dict \"a\" 1 \"b\" 2) \"a\" \"x\" }}",
        "map[alpha:2]map[b:2]",
    );
    check("{{ hasKey (dict \"a\" nil) \"a\" }}", "true");
    // What one rendering changes, the next does not see.
    let world = World::recorded();
    let text = "{{ $_ := set .HCO.Object.spec \"n\" 1 }}{{ .HCO.Object.spec.n }}";
    assert_eq!(world.render(text).unwrap(), "1");
    assert_eq!(world.render(text).unwrap(), "1");
    assert!(world.render("{{ .HCO.Object.spec.n }}").is_err());
}

#[test]
fn merging_is_mergos() {
    check(
        "{{ merge (dict \"a\" \"\" \"b\" 0 \"c\" 1) (dict \"a\" \"x\" \"b\" 2 \"c\" 3 \"d\" nil) }}",
        "map[a:x b:2 c:1]",
    );
    check("{{ mergeOverwrite (dict \"a\" 1 \"b\" 2) (dict \"a\" nil \"b\" \"\") }}", "map[a:<nil> b:]");
    check("{{ merge (dict \"l\" (list 1)) (dict \"l\" (list 2) \"m\" (list 3)) }}", "map[l:[1] m:[3]]");
    check(
        "{{ mergeOverwrite (dict \"l\" (list 1) \"m\" \"x\") (dict \"l\" (list) \"m\" (list 2)) }}",
        "map[l:[] m:[2]]",
    );
    check(
        "{{ mergeOverwrite (dict \"a\" \"x\") (dict \"a\" (dict \"b\" 1)) }}{{ merge (dict \"a\" \"x\") (dict \"a\" (dict \"b\" 1)) }}",
        "map[a:map[b:1]]map[a:x]",
    );
    check(
        "{{ mergeOverwrite (dict \"a\" (dict \"b\" 1)) (dict \"a\" 2) }}{{ merge (dict \"a\" (dict)) (dict \"a\" (dict \"b\" 1)) }}",
        "map[a:2]map[a:map[b:1]]",
    );
    check(
        "{{ $s := dict \"n\" (dict) }}{{ $d := merge (dict) $s }}{{ $_ := set $s.n \"x\" 1 }}{{ $d }}",
        "map[n:map[x:1]]",
    );
    check(
        "{{ merge nil (dict \"a\" 1) }}{{ merge (dict \"a\" 1) nil }}{{ merge (dict) (dict \"a\" 1) (dict \"a\" 2 \"b\" 3) }}",
        "map[a:1]map[a:1]map[a:1 b:3]",
    );
}

#[test]
fn arithmetic_takes_anything() {
    check(
        "{{ add \"0x10\" 1 }} {{ add \"1e3\" 1 }} {{ add \"3.9\" 1 }} {{ add \"-.5\" 1 }} {{ add true nil \"x\" \"0644\" }}",
        "17 1 4 1 421",
    );
    check(
        "{{ mod -7 3 }} {{ div -7 2 }} {{ sub 1 2.9 }} {{ mul 3 \"4\" }} {{ max 1 2.7 }} {{ min \"3\" 2 }} {{ add1 \"1\" }}",
        "-1 -3 -1 12 2 2 2",
    );
    check("{{ floor -1.5 }} {{ ceil -1.5 }} {{ floor \"x\" }} {{ floor true }} {{ ceil \"1.2\" }}", "-2 -1 0 1 2");
    check(
        "{{ round 123.5555 3 }} {{ round 123.5 0 }} {{ round 1234 -2 }} {{ round 1.55 1 0.6 }} {{ round \"2.345\" 2 }}",
        "123.556 124 1200 1.5 2.35",
    );
    check("{{ div 1 \"0x2\" }}{{ mul 9223372036854775807 2 }}", "0-2");
}

#[test]
fn encodings() {
    check(
        "{{ b64dec \"!!!\" }}|{{ b32dec \"1\" }}|{{ b64enc \"\" }}|{{ \"aGk=\" | b64dec | upper }}",
        "illegal base64 data at input byte 0|illegal base32 data at input byte 0||HI",
    );
    // Bytes that are no text live on until the end.
    check("{{ b64dec \"/w==\" | b64enc }}{{ b64dec \"/w==\" | len }}{{ b64dec \"/w==\" }}", "/w==1\u{fffd}");
    let packed = World::recorded().render("{{ readAsset \"scripts/tune.sh\" | gzip | b64enc }}").unwrap();
    let packed = data_encoding::BASE64.decode(packed.as_bytes()).unwrap();
    assert_eq!(&packed[..10], [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
    let plain = miniz_oxide::inflate::decompress_to_vec(&packed[10..packed.len() - 8]).unwrap();
    assert_eq!(plain, b"#!/bin/sh\n");
    assert_eq!(packed[packed.len() - 4..], [10, 0, 0, 0]);
}

#[test]
fn the_controllers_own() {
    check(
        "{{ dig \"a\" }}|{{ dig }}|{{ dig \"x\" 1 (dict \"x\" nil) }}|{{ dig \"role\" \"d\" .Params }}",
        "<no value>|<no value>|<no value>|d",
    );
    check(
        "{{ hasAnnotation .HCO \"x\" \"y\" }}{{ hasAnnotation (dict \"metadata\" (dict \"annotations\" (dict \"n\" 1))) \"n\" \"1\" }}",
        "falsetrue",
    );
    check(
        "{{ crdEnum \"widgets.example.com\" \"spec.level\" }}{{ crdEnum \"widgets.example.com\" \"spec\" }}{{ crdHasEnum \"widgets.example.com\" \"spec.level\" \"2\" }}",
        "[1 2][]true",
    );
    check("{{ storageProfileRWXClass }}|{{ readAsset \"scripts/tune.sh\" }}", "b-nfs|#!/bin/sh\n");
    check(
        "{{ toYaml \"a\" }}|{{ toYaml nil }}|{{ toYaml .Params }}|{{ toYaml (dict \"a\" 1.0 \"b\" 1e21) }}",
        "a|null|role: worker\nsize: \"3\"|a: 1\nb: 1e+21",
    );
    check(
        "{{ (fromYaml \"a: 1000000\").a }}|{{ fromYaml \"- a\" }}|{{ fromYaml \"a: b: c\" }}|{{ fromYaml \"null\" }}",
        "1e+06|map[]|map[]|map[]",
    );
    check_error("{{ readAsset \"../x\" }}", Stage::Execute, 1, "file does not exist");
}

#[test]
fn releases_differ_in_their_functions() {
    for name in ["hasAnnotation .HCO.Object \"a\" \"b\"", "storageProfileRWXClass"] {
        let text = format!("\n{{{{ {name} }}}}");
        let error = Template::parse("t", &text, Behavior::V4_22).unwrap_err();
        assert_eq!((error.kind, error.stage, error.line), (ErrorKind::UnknownFunction, Stage::Parse, 2));
        assert!(Template::parse("t", &text, Behavior::V4_23).is_ok());
        assert!(Template::parse("t", &text, Behavior::Ga).is_ok());
    }
}
