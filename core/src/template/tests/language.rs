//! The language itself: syntax, variables, control, comparison, printing.

use super::*;

#[test]
fn text_and_literals() {
    check("{{ 'a' }} {{ '\\x41' }} {{ '\\'' }} {{ '☃' }}", "97 65 39 9731");
    check(
        "{{ 1.5 }} {{ 1e3 }} {{ 0x1p4 }} {{ .5 }} {{ -.5 }} {{ 1e21 }} {{ 123456789.0 }}",
        "1.5 1000 16 0.5 -0.5 1e+21 1.23456789e+08",
    );
    check("{{ 2i }} {{ 1+2i }} {{ eq 1i 1i }}", "(0+2i) (1+2i) true");
    check("{{ true }}{{ false }}{{ \"a\\tb\\u00e9\" }}{{ `\\n` }}", "truefalsea\tbé\\n");
    check("a\n {{- /* c\n */ -}} \n b{{- \"x\" }}", "abx");
    check("{{/* c */}}", "");
    check("{{`a\nb`}}", "a\nb");
    check_error("{{ 9223372036854775808 }}", Stage::Execute, 1, "overflows int");
    check_error("{{ 99999999999999999999 }}", Stage::Parse, 1, "integer overflow");
    check_error("{{ 08 }}", Stage::Parse, 1, "integer overflow");
    check_error("{{ 1__0 }}", Stage::Parse, 1, "illegal number syntax");
    check_error("{{ \"\\q\" }}", Stage::Parse, 1, "invalid syntax");
    check_error("\n{{ '' }}", Stage::Parse, 2, "invalid syntax");
    check_error("{{ \"abc\n\" }}", Stage::Parse, 1, "unterminated quoted string");
    check_error("{{ 'a", Stage::Parse, 1, "unterminated character constant");
    check_error("a\n{{/* b", Stage::Parse, 2, "unclosed comment");
    check_error("{{/* b */ }}", Stage::Parse, 1, "comment ends before closing delimiter");
    check_error("{{ .a# }}", Stage::Parse, 1, "bad character U+0023 '#'");
    check_error("{{ \u{1} }}", Stage::Parse, 1, "unrecognized character in action: U+0001");
    check_error("{{ $ : 1 }}", Stage::Parse, 1, "expected :=");
}

#[test]
fn errors_stand_where_go_says() {
    check_error("a\n{{ if true }}\nb\n", Stage::Parse, 4, "unexpected EOF");
    check_error("{{ if true\n\n", Stage::Parse, 3, "unclosed action started at case:1");
    check_error("{{/* a\nb */}}\n{{ nope }}", Stage::Parse, 3, "function \"nope\" not defined");
    check_error("{{ print\n  (index\n  .HCO.Object.spec.list 9) }}", Stage::Execute, 2, "index out of range");
    check_error("{{ `a\nb` }}{{ .Nope }}", Stage::Execute, 2, "can't evaluate field Nope");
    check_error(
        "{{ define \"a\" }}\n{{ .x }}{{ end }}\n{{ template \"a\" .Params }}",
        Stage::Execute,
        2,
        "no entry for key \"x\"",
    );
    check_error("{{ block \"a\" . }}\n{{ else }}{{ end }}", Stage::Parse, 1, "unexpected {{else}} in block clause");
    check_error("{{ define \"a\" }}\n{{ else }}{{ end }}", Stage::Parse, 2, "unexpected {{else}} in define clause");
    check_error("{{ else }}", Stage::Parse, 1, "unexpected {{else}}");
    check_error("{{ if 1 }}{{ else if }}{{ end }}", Stage::Parse, 1, "missing value for if");
    check_error("{{ with 1 }}{{ else if 1 }}{{ end }}", Stage::Parse, 1, "unexpected <if> in input");
    check_error(
        "{{ range 1 }}{{ block \"b\" . }}{{ break }}{{ end }}{{ end }}",
        Stage::Parse,
        1,
        "{{break}} outside {{range}}",
    );
    check_error("{{ range 1 }}{{ continue 1 }}{{ end }}", Stage::Parse, 1, "unexpected \"1\" in {{continue}}");
    check_error("{{ template x }}", Stage::Parse, 1, "unexpected \"x\" in template clause");
    check_error("{{ block \"x\" }}{{ end }}", Stage::Parse, 1, "missing value for block clause");
    check_error("{{ define }}{{ end }}", Stage::Parse, 1, "unexpected \"}}\" in define clause");
    check_error("{{ define \"x\" 1 }}{{ end }}", Stage::Parse, 1, "unexpected \"1\" in define clause");
    check_error("{{ end 1 }}", Stage::Parse, 1, "unexpected \"1\" in end");
    check_error("{{ 1 | 2 }}", Stage::Parse, 1, "non executable command in pipeline stage 2");
    check_error("{{ 1 | . }}", Stage::Parse, 1, "non executable command in pipeline stage 2");
    check_error("{{ }}", Stage::Parse, 1, "missing value for command");
    check_error("{{ () }}", Stage::Parse, 1, "missing value for parenthesized pipeline");
    check_error("{{ nil.x }}", Stage::Parse, 1, "unexpected . after term \"nil\"");
    check_error("{{ \"01234567890\" | 3 }}{{ print, }}", Stage::Parse, 1, "non executable");
    check_error("{{ print, }}", Stage::Parse, 1, "unexpected \",\" in operand");
}

#[test]
fn an_error_shows_its_line() {
    let error = World::recorded().render("a: 1\nbé: {{ .Params.none }} # c\n").unwrap_err();
    assert_eq!((error.line, error.column, error.offset), (2, 15, 20));
    assert_eq!(error.source_line, "bé: {{ .Params.none }} # c");
    assert_eq!((error.expression.as_str(), error.kind), (".Params.none", ErrorKind::MissingKey));
}

#[test]
fn fields_and_methods() {
    check("{{ (.HCO.GetLabels).team }}{{ (index .HCO.GetAnnotations \"example.com/yes\") }}", "virtyes");
    check(
        "{{ index .Params \"none\" }}|{{ .HCO.GetNamespace | len }}|{{ .HCO.GetGeneration }}|{{ .HCO.IsList }}",
        "|13|0|false",
    );
    check(
        "{{ $s := .HCO.Object.spec }}{{ $s.map.alpha }}{{ ($s.map).alpha }}{{ (index $s.featureGates 1).state }}",
        "22Disabled",
    );
    check(
        "{{ .Hardware }}|{{ .Hardware.AsMap.gpuPresent }}|{{ .Topology.AsMap.totalNodeCount }}",
        "{true false false false false}|false|5",
    );
    check(
        "{{ printf \"%+v\" .Hardware }}",
        "&{PCIDevicesPresent:true NUMANodesPresent:false VFIOCapable:false USBDevicesPresent:false GPUPresent:false}",
    );
    check(
        "{{ $x := .HCO.Object.spec.nothing }}{{ $x }}|{{ print $x }}|{{ print .HCO.Object.spec.nothing }}",
        "<no value>|<nil>|<nil>",
    );
    check_error("{{ .HCO.Object.spec.nothing.x }}", Stage::Execute, 1, "nil pointer evaluating interface {}.x");
    check_error(
        "{{ $x := .HCO.Object.spec.nothing }}{{ $x.y }}",
        Stage::Execute,
        1,
        "nil data; no entry for key \"y\"",
    );
    check_error("{{ .HCO.GetName.x }}", Stage::Execute, 1, "can't evaluate field x in type string");
    check_error("{{ (1).x }}", Stage::Execute, 1, "can't evaluate field x in type int");
    check_error("{{ (nil).x }}", Stage::Execute, 1, "nil is not a command");
    check_error("{{ .HCO.GetName 1 }}", Stage::Execute, 1, "wrong number of args for GetName: want 0 got 1");
    check_error("{{ 1 | .HCO.GetName }}", Stage::Execute, 1, "wrong number of args for GetName: want 0 got 1");
    check_error("{{ .Topology.IsAWS 1 }}", Stage::Execute, 1, "IsAWS has arguments but cannot be invoked as function");
}

#[test]
fn variables_have_scopes() {
    check("{{ $x := 1 }}{{ range 2 }}{{ $x = add $x 1 }}{{ end }}{{ $x }}", "3");
    check("{{ with $x := 1 }}{{ $x := 2 }}{{ $x }}{{ end }}", "2");
    check("{{ $i := 9 }}{{ range $i = list 1 2 }}{{ $i }}{{ end }}{{ $i }}", "122");
    check("{{ $i := 9 }}{{ $e := 8 }}{{ range $i, $e = list 5 6 }}{{ end }}{{ $i }}{{ $e }}", "16");
    check("{{ if false }}{{ else if $x := 2 }}{{ $x }}{{ end }}", "2");
    check("{{ if $x := 0 }}{{ else if $y := 2 }}{{ $x }}{{ $y }}{{ else }}{{ end }}", "02");
    check("{{ define \"t\" }}{{ $.role }}{{ end }}{{ template \"t\" .Params }}", "worker");
    check_error("{{ with $x := 1 }}{{ end }}{{ $x }}", Stage::Parse, 1, "undefined variable \"$x\"");
    check_error("{{ define \"t\" }}{{ $y }}{{ end }}{{ $y := 1 }}", Stage::Parse, 1, "undefined variable \"$y\"");
    check_error("{{ range $i, $e, $f := list }}{{ end }}", Stage::Parse, 1, "too many declarations in range");
    check_error("{{ range $i, 3 }}{{ end }}", Stage::Parse, 1, "range can only initialize variables");
    check_error(
        "{{ range $i, $e := 3 }}{{ end }}",
        Stage::Execute,
        1,
        "can't use 3 to iterate over more than one variable",
    );
}

#[test]
fn control_flows() {
    check(
        "{{ range $i, $e := list 1 2 3 4 }}{{ if eq $e 2 }}{{ continue }}{{ end }}{{ if eq $e 4 }}{{ break }}{{ end }}{{ $e }}{{ end }}",
        "13",
    );
    check("{{ range -1 }}x{{ else }}none{{ end }}{{ range 0 }}x{{ else }}none{{ end }}", "nonenone");
    check("{{ range dict }}x{{ else }}empty{{ end }}{{ range default 2 }}y{{ end }}", "emptyyy");
    check("{{ with \"\" }}a{{ else with 0 }}b{{ else with \"c\" }}{{ . }}{{ else }}d{{ end }}", "c");
    check("{{ with .HCO.Object.spec.nothing }}a{{ else }}b{{ end }}", "b");
    check("{{ range .Params }}{{ . }},{{ end }}{{ range $k, $v := .Images }}{{ $k }}{{ end }}", "worker,3,exporter");
    check("{{ define \"a\" }}{{ end }}{{ define \"a\" }}x{{ end }}{{ template \"a\" }}{{ template \"a\" 1 }}", "xx");
    check("{{ define \"case\" }}main{{ end }}\n ", "main");
    check("{{ template \"t\" }}{{ define \"t\" }}{{ . }}{{ end }}", "<no value>");
    check(
        "{{ define \"c\" }}{{ if gt . 0 }}{{ . }}{{ template \"c\" (index (list 0 0 1 2 3 4 5 6 7 8) .) }}{{ end }}{{ end }}{{ template \"c\" 9 }}",
        "987654321",
    );
    check("{{ range 3 }}{{ range 3 }}{{ if eq . 1 }}{{ break }}{{ end }}{{ . }}{{ end }};{{ end }}", "0;0;0;");
    check_error(
        "{{ template \"t\" 1 2 }}{{ define \"t\" }}{{ end }}",
        Stage::Execute,
        1,
        "can't give argument to non-function 1",
    );
    check_error("{{ if nil }}{{ end }}", Stage::Execute, 1, "nil is not a command");
}

#[test]
fn comparison_minds_types() {
    check(
        "{{ eq .HCO.Object.spec.million 1000000 }}{{ eq 1 nil }}{{ eq nil nil }}{{ eq .HCO.Object.spec.list nil }}",
        "truefalsetruefalse",
    );
    check(
        "{{ eq (rest (list)) nil }}{{ eq (index \"abc\" 0) 97 }}{{ lt (index \"abc\" 0) 98 }}{{ eq .HCO .HCO }}",
        "truetruetruetrue",
    );
    check("{{ and 1 (or 0 2) }}{{ and nil 1 }}{{ or nil 3 }}{{ 3 | and 1 }}{{ 3 | and 0 }}", "2<no value>330");
    check("{{ or 1 (index nil 1) }}{{ and 0 (index nil 1) }}", "10");
    check(
        "{{ not nil }}{{ not \"\" }}{{ ne 1 2 }}{{ le 1.5 1.5 }}{{ ge \"b\" \"a\" }}{{ gt -1 -2 }}",
        "truetruetruetruetruetrue",
    );
    check_error("{{ eq 1 }}", Stage::Execute, 1, "missing argument for comparison");
    check_error("{{ ne 1 }}", Stage::Execute, 1, "want 2 got 1");
    check_error("{{ lt true false }}", Stage::Execute, 1, "invalid type for comparison");
    check_error("{{ lt nil 1 }}", Stage::Execute, 1, "invalid type for comparison");
    check_error("{{ eq .HCO.Object.spec.list .HCO.Object.spec.map }}", Stage::Execute, 1, "non-comparable types");
    check_error("{{ eq (list) (list) }}", Stage::Execute, 1, "non-comparable type []: []interface {}");
    check_error(
        "{{ eq \"a\" (list) }}",
        Stage::Execute,
        1,
        "incompatible types for comparison: string and []interface {}",
    );
}

#[test]
fn printing_is_gos() {
    check("{{ print 1 2 \"a\" 3 nil 4 }}|{{ println }}|{{ println nil \"a\" 1 }}", "1 2a3 <nil> 4|\n|<nil> a 1\n");
    check(
        "{{ html \"<a href='x'>\" 1 2 }}|{{ html nil }}|{{ urlquery \"a b&ü/~\" }}",
        "&lt;a href=&#39;x&#39;&gt;1 2|&lt;no value&gt;|a+b%26%C3%BC%2F~",
    );
    check("{{ js \"a=b\\n\\u2028é\" }}", "a\\u003Db\\u000A\\u2028é");
    check(
        "{{ list (list 1 nil) (dict \"b\" 2 \"a\" \"x\") 1.0 }}{{ list }}{{ rest (list) }}{{ dict }}",
        "[[1 <nil>] map[a:x b:2] 1][][]map[]",
    );
    check(
        "{{ ceil -0.5 }} {{ 100000.0 }} {{ 1234567.0 }} {{ 0.0001 }} {{ 0.00001 }}",
        "-0 100000 1.234567e+06 0.0001 1e-05",
    );
}

#[test]
fn printf_knows_every_verb() {
    let verbs =
        |format: &str, argument: &str, expect: &str| check(&format!("{{{{ printf {format:?} {argument} }}}}"), expect);
    verbs("%5t|%-6t|%q|%x", "true false true false", " true|false |%!q(bool=true)|%!x(bool=false)");
    verbs(
        "%+d|% d|%05d|%-5d|%5.3d|%.0d|%x|%X|%#x|%#o|%O|%#b",
        "1 2 -3 4 5 0 255 255 255 8 8 5",
        "+1| 2|-0003|4    |  005||ff|FF|0xff|010|0o10|0b101",
    );
    verbs("%c|%q|%#q|%U|%#U|%c", "9731 9731 9731 9731 9731 -1", "☃|'☃'|'☃'|U+2603|U+2603 '☃'|\u{fffd}");
    verbs(
        "%e|%E|%g|%G|%.3g|%10.2f|%-10.1f|%+.1f|%010.2f|%F",
        "1.5 1.5 1e21 1e-7 1234.5678 3.14159 2.5 1.25 -3.14159 1.5",
        "1.500000e+00|1.500000E+00|1e+21|1E-07|1.23e+03|      3.14|2.5       |+1.2|-000003.14|1.500000",
    );
    verbs(
        "%#g|%#.3g|%x|%b|%6.2f|%s|%d",
        "1.0 1.0 1.5 1.0 2 1.5 1.5",
        "1.00000|1.00|0x1.8p+00|4503599627370496p-52|%!f(int=    02)|%!s(float64=1.5)|%!d(float64=1.5)",
    );
    verbs(
        "%s|%10s|%-10s|%.2s|%q|%+q|%#q|%x|%X|% x|%#x|%# x",
        "`a` `b` `c` `héllo` `h\"é` `é` `a` `hi` `hi` `hi` `hi` `hi`",
        "a|         b|c         |hé|\"h\\\"é\"|\"\\u00e9\"|`a`|6869|6869|68 69|0x6869|0x68 0x69",
    );
    verbs("%05s|%t|%d", "`ab` `x` `y`", "000ab|%!t(string=x)|%!d(string=y)");
    verbs("%v|%+v|%#v|%T|%d", "nil nil nil nil nil", "<nil>|<nil>|<nil>|<nil>|%!d(<nil>)");
    verbs(
        "%#v|%#v|%#v|%#v",
        "(list 1 `a` nil 1.0) (dict `k` true) `q` (rest (list))",
        "[]interface {}{1, \"a\", interface {}(nil), 1}|map[string]interface {}{\"k\":true}|\"q\"|[]interface {}(nil)",
    );
    verbs(
        "%T %T %T %T %T %T %T",
        "1 1.5 `a` (list) (dict) (splitList `,` `a`) (add 1)",
        "int float64 string []interface {} map[string]interface {} []string int64",
    );
    verbs(
        "%T %T %T %T %T",
        ".Params .HCO .Topology (chunk 1 (list 1)) (index `a` 0)",
        "map[string]string *unstructured.Unstructured *context.TopologyContext [][]interface {} uint8",
    );
    verbs(
        "%d|%s|%q|%5d|%x",
        "(list 1 `a`) (list 1 `a`) (list `a` nil) (list 1 2) (list 10 `z`)",
        "[1 %!d(string=a)]|[%!s(int=1) a]|[\"a\" <nil>]|[    1     2]|[a 7a]",
    );
    verbs("%[2]*[1]d|%[1]d|%[3]d|%[x]d", "42 5", "   42|42|%!d(BADINDEX)|%!d(BADINDEX)");
    verbs(
        "%*d|%-*d|%*d|%.*f|%.*f",
        "5 42 5 42 `x` 1 2 3.14159 -1 1.5",
        "   42|42   |%!(BADWIDTH)1|3.14|%!(BADPREC)1.500000",
    );
    verbs("%d %d", "1", "1 %!d(MISSING)");
    verbs("a", "1 `b` nil", "a%!(EXTRA int=1, string=b, <nil>)");
    verbs("%", "1", "%!(NOVERB)%!(EXTRA int=1)");
    verbs("%z|%w|%!|%-", "1 2 3 4", "%!z(int=1)|%!w(int=2)|%!!(int=3)|%!(NOVERB)%!(EXTRA int=4)");
    verbs("%99999999d", "1", "%!(NOVERB)%!(EXTRA int=1)");
    verbs("%6.2f%%|%v|%v", "12.3456 (index `abc` 1) 1+2i", " 12.35%|98|(1+2i)");
    verbs("%.3x|%.20f|%.3e|%8.3v", "1.1 0.1 123456.0 3.14159", "0x1.19ap+00|0.10000000000000000555|1.235e+05|    3.14");
}
