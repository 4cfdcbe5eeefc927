//! Planning 100 assets on a cluster that has everything already, against reading the YAML that they come to as the unit.
//!
//! A catalog remembers how each asset went last. A plan that is to be the first of its cluster takes turns with one under an
//! option that changes nothing here, so that nothing remembered fits.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use virt_autopilot::plan::AnnotationEdit;
use virt_autopilot::{Cluster, PlanOptions, RenderOptions, output, plan, render, yaml};
use virt_autopilot_tests::synthetic;

fn planning(criterion: &mut Criterion) {
    let catalog = synthetic::catalog(100);
    let options = PlanOptions::default();
    let in_turn = [options.clone(), PlanOptions { allow_refused_kinds: true, ..options.clone() }];
    let mut turn = in_turn.iter().cycle();
    let mut next_turn = || turn.next().unwrap();
    let empty = Cluster::from_values(synthetic::objects(12));
    let text = output::yaml(&render(&catalog, &empty, &RenderOptions::default()).unwrap());
    let live = plan(&catalog, &empty, &options).unwrap().apply_to(&empty);
    let edit = |value: u32| PlanOptions {
        annotations: vec![AnnotationEdit {
            kind: "DaemonSet".to_owned(),
            namespace: "openshift-cnv".to_owned(),
            name: "set-1".to_owned(),
            key: "platform.kubevirt.io/ignore-fields".to_owned(),
            value: Some(format!("/spec/field{value}")),
        }],
        ..PlanOptions::default()
    };

    let mut group = criterion.benchmark_group("plan");
    group.bench_function("unit: read the 250 KB of YAML", |b| b.iter(|| yaml::parse_stream(black_box(&text))));
    group.bench_function("100 assets in sync, a catalog just loaded", |b| {
        b.iter_with_setup(
            || virt_autopilot::Catalog::from_files("x", catalog.behavior(), catalog.files().clone()).unwrap(),
            |catalog| plan(&catalog, black_box(&live), &options),
        );
    });
    group.bench_function("100 assets in sync, a cluster not seen before", |b| {
        b.iter(|| plan(&catalog, black_box(&live), next_turn()));
    });
    group.bench_function("100 assets in sync, nothing changed", |b| {
        b.iter(|| plan(&catalog, black_box(&live), &options))
    });
    let mut round = 0;
    group.bench_function("100 assets in sync, one annotation changed", |b| {
        b.iter(|| {
            round += 1;
            plan(&catalog, black_box(&live), &edit(round))
        });
    });
    group.bench_function("100 assets to be created", |b| b.iter(|| plan(&catalog, black_box(&empty), next_turn())));
    group.sample_size(10);
    group.bench_function("100 assets for 1,000 clusters", |b| {
        b.iter(|| {
            for _ in 0..1_000 {
                black_box(plan(&catalog, black_box(&live), next_turn()).unwrap());
            }
        });
    });
    group.finish();
}

criterion_group!(benches, planning);
criterion_main!(benches);
