//! Loading and rendering, against reading the YAML that comes of it as the unit.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use virt_autopilot::{Catalog, Cluster, RenderOptions, demo, output, render, yaml};
use virt_autopilot_tests::synthetic;

fn rendering(criterion: &mut Criterion) {
    let options = RenderOptions::default();
    let builtin = Catalog::builtin("4.22").unwrap();
    let large = synthetic::catalog(100);
    let demo = demo::cluster();
    let objects = synthetic::objects(12);
    let cluster = Cluster::from_values(objects.clone());
    let text = output::yaml(&render(&large, &cluster, &options).unwrap());

    let mut group = criterion.benchmark_group("render");
    group.bench_function("unit: read the 250 KB of YAML", |b| b.iter(|| yaml::parse_stream(black_box(&text))));
    group.bench_function("load the built-in catalog", |b| b.iter(|| Catalog::builtin(black_box("4.22"))));
    group.bench_function("load 100 assets", |b| {
        b.iter(|| Catalog::from_files("x", large.behavior(), black_box(large.files().clone())));
    });
    group.bench_function("render the built-in catalog", |b| b.iter(|| render(&builtin, black_box(&demo), &options)));
    group.bench_function("render 100 assets", |b| b.iter(|| render(&large, black_box(&cluster), &options)));
    group.sample_size(10);
    group.bench_function("render 100 assets for 1,000 clusters", |b| {
        b.iter(|| {
            for _ in 0..1_000 {
                let cluster = Cluster::from_values(black_box(objects.clone()));
                black_box(render(&large, &cluster, &options).unwrap());
            }
        });
    });
    group.finish();
}

criterion_group!(benches, rendering);
criterion_main!(benches);
