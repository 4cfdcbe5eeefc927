//! What a template cannot do to whoever renders it.

use super::*;
use crate::limits::MAX_TEMPLATE_DEPTH;

/// Every one is answered by an error of that kind, without overflowing the stack and soon.
#[test]
fn hostile_templates_are_refused() {
    use ErrorKind::{TooDeep, TooLarge, TooManySteps};
    let world = World::recorded();
    let check = |text: &str, kinds: &[ErrorKind]| {
        let result = world.render(text);
        let shown: String = text.chars().take(80).collect();
        let error = result.expect_err(&shown);
        assert!(kinds.contains(&error.kind), "{shown}: {error}");
    };
    let doubled = |step: &str| format!("{{{{ $x := \"ab\" }}}}{}", format!("{{{{ $x = {step} }}}}").repeat(40));
    check(&doubled("print $x $x"), &[TooLarge]);
    check(&doubled("cat $x $x"), &[TooLarge]);
    check(&doubled("printf \"%s%s\" $x $x"), &[TooLarge]);
    check(&doubled("list $x $x | toJson"), &[TooLarge, TooManySteps]);
    check(&doubled("replace \"a\" \"aa\" $x"), &[TooLarge, TooManySteps]);
    check("{{ range 1000000000 }}{{ range 1000000000 }}{{ end }}{{ end }}", &[TooManySteps]);
    check("{{ range 9223372036854775807 }}x{{ end }}", &[TooManySteps]);
    check("{{ range 100000 }}{{ repeat 1000 \"x\" }}{{ end }}", &[TooLarge]);
    check("{{ repeat 1000000000 \"x\" }}", &[TooLarge]);
    check("{{ repeat 9223372036854775807 \"xx\" }}", &[TooLarge, ErrorKind::Function]);
    check("{{ printf \"%9999999d%9999999d%9999999d%9999999d\" 1 1 1 1 }}", &[TooLarge]);
    check("{{ printf \"%.9999999f%.9999999f%.9999999e%.9999999g\" 1.5 1.5 1.5 1.5 }}", &[TooLarge]);
    check("{{ range 99 }}{{ $x := printf \"%999999d\" 1 }}{{ end }}", &[TooLarge]);
    check("{{ indent 1000000000 \"x\\ny\" }}", &[TooLarge]);
    check("{{ nindent 9223372036854775807 \"x\\ny\" }}", &[TooLarge]);
    check("{{ $l := list }}{{ range 1000000 }}{{ $l = append $l . }}{{ end }}", &[TooLarge, TooManySteps]);
    check("{{ $l := list }}{{ range 1000000 }}{{ $l = list $l }}{{ end }}", &[TooLarge, TooManySteps]);
    check("{{ $d := dict }}{{ range 1000000 }}{{ $d = dict \"a\" $d }}{{ end }}", &[TooLarge, TooManySteps]);
    let shared = |end: &str| {
        let grow = "{{ $d = dict \"a\" $d \"b\" $d }}".repeat(40);
        format!("{{{{ $d := dict }}}}{grow}{{{{ {end} }}}}")
    };
    for end in ["$d", "toJson $d", "toPrettyJson $d", "toYaml $d", "uniq (list $d $d $d)", "printf \"%#v\" $d"] {
        check(&shared(end), &[TooLarge, TooManySteps]);
    }
    let own = |end: &str| format!("{{{{ $d := dict }}}}{{{{ $_ := set $d \"self\" $d }}}}{{{{ {end} }}}}");
    for end in [
        "$d",
        "toJson $d",
        "toYaml $d",
        "print $d",
        "printf \"%+v\" $d",
        "quote $d",
        "$e := dict }}{{ $_ := set $e \"self\" $e }}{{ uniq (list $d $e)",
        "$e := dict }}{{ $_ := set $e \"self\" $e }}{{ mergeOverwrite $d $e",
    ] {
        check(&own(end), &[TooDeep]);
    }
    let nested = |times: usize, open: &str, middle: &str, close: &str| {
        [open.repeat(times), middle.to_owned(), close.repeat(times)].concat()
    };
    let inside = |text: String| format!("{{{{ {text} }}}}");
    check(&inside(nested(100_000, "(", "1", ")")), &[TooDeep]);
    check(&inside(nested(100_000, "print (", "1", ")")), &[TooDeep]);
    check(&inside(nested(100_000, "(", "1", ")") + ".a"), &[TooDeep]);
    check(&nested(100_000, "{{ if true }}", "x", "{{ end }}"), &[TooDeep]);
    check(&nested(100_000, "{{ range 1 }}", "x", "{{ end }}"), &[TooDeep]);
    check(&nested(100_000, "{{ block \"x\" . }}", "x", "{{ end }}"), &[TooDeep]);
    check(&("{{ if false }}".to_owned() + &"{{ else if false }}".repeat(200_000) + "{{ end }}"), &[TooLarge]);
    check(&"{{ . }}".repeat(1_000_000), &[TooLarge]);
    check(&"{{ .a.b.c.d.e.f.g.h }}".repeat(100_000), &[TooLarge]);
    check(
        "{{ define \"r\" }}{{ if true }}{{ with 1 }}{{ template \"r\" (print (print (print 1))) }}{{ end }}{{ end }}{{ end }}{{ template \"r\" }}",
        &[TooDeep],
    );
    check(
        "{{ define \"a\" }}{{ template \"b\" }}{{ end }}{{ define \"b\" }}{{ template \"a\" }}{{ end }}{{ template \"a\" }}",
        &[TooDeep],
    );
    let wide = "{{ define \"r\" }}{{ if lt . 60 }}{{ template \"r\" (len (repeat . \"ab\")) }}{{ end }}{{ end }}";
    check(
        &format!("{wide}{{{{ template \"r\" 1 }}}}{{{{ range 100000000 }}}}{{{{ template \"r\" 1 }}}}{{{{ end }}}}"),
        &[TooManySteps],
    );
    check(
        "{{ $x := repeat 1000000 \"ab\" }}{{ range 1000000 }}{{ $_ := contains \"abc\" $x }}{{ end }}",
        &[TooManySteps],
    );
    check("{{ $x := repeat 30000 \"é \" }}{{ range 1000 }}{{ $_ := trimAll $x $x }}{{ end }}", &[TooManySteps]);
    check(
        "{{ $l := splitList \"\" (repeat 30000 \"x\") }}{{ uniq (concat $l (list 1)) }}{{ range 100 }}{{ $_ := without $l $l }}{{ end }}{{ range 1000 }}{{ $_ := uniq $l }}{{ end }}",
        &[TooLarge, TooManySteps],
    );
    check("{{ $x := repeat 3000000 \"[],\" }}{{ $_ := fromJson (print \"[\" $x \"1]\") }}", &[TooLarge]);
    check("{{ $x := repeat 3000000 \"- a\\n\" }}{{ $_ := fromYaml $x }}", &[TooLarge]);
    check(
        "{{ $x := repeat 1000000 \"ab\" }}{{ range 1000000 }}{{ $_ := gzip $x }}{{ end }}",
        &[TooLarge, TooManySteps],
    );
    let declared: String = (0..20_000).map(|at| format!("{{{{ $x{at} := 1 }}}}")).collect();
    check(&format!("{declared}{{{{ range 1000000 }}}}{{{{ $x0 = $x0 }}}}{{{{ end }}}}"), &[TooManySteps]);
    check(&format!("{declared}{}", "{{ $x0 = $x0 }}".repeat(20_000)), &[TooLarge]);
    check("{{ range 1000000 }}{{ $_ := .HCO }}{{ end }}", &[TooManySteps, ErrorKind::MissingField]);
    check(
        "{{ $a := .HCO.Object }}{{ range 100000 }}{{ $_ := keys $a $a $a $a $a $a }}{{ end }}",
        &[TooLarge, TooManySteps],
    );
}

/// What is nested as deep as it may be still works, on the stack that wasm has.
#[test]
fn the_deepest_nesting_fits_the_stack() {
    let world = World::recorded();
    let depth = MAX_TEMPLATE_DEPTH - 1;
    let json = |open: &str, close: &str| format!("{}1{}", open.repeat(100), close.repeat(100));
    let texts = [
        format!("{{{{ {}1{} }}}}", "(".repeat(depth), ")".repeat(depth)),
        format!("{}x{}", "{{ if true }}".repeat(depth), "{{ end }}".repeat(depth)),
        format!("{}x{}", "{{ range 1 }}".repeat(depth), "{{ end }}".repeat(depth)),
        format!("{{{{ $x := fromJson `{}` }}}}{{{{ toPrettyJson $x }}}}{{{{ $x }}}}", json("[", "]")),
        format!(
            "{{{{ $x := fromJson `{}` }}}}{{{{ toYaml $x }}}}{{{{ $x }}}}",
            json("{\"a\":[", "]}").replace("{\"a\":[", "[")
        ),
    ];
    for text in texts {
        let shown: String = text.chars().take(40).collect();
        assert!(world.render(&text).is_ok(), "{shown}");
    }
}
