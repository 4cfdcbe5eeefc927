//! A year on a virtual clock: 100 assets, and three opponents that never give in.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use serde_json::json;
use virt_autopilot::Cluster;
use virt_autopilot::object::ObjectRef;
use virt_autopilot::simulate::{Actor, Script, simulate};
use virt_autopilot_tests::synthetic;

const SECOND: u64 = 1_000;
const YEAR: u64 = 365 * 24 * 60 * 60 * SECOND;

fn machine_config(index: usize) -> ObjectRef {
    ObjectRef {
        api_version: "machineconfiguration.openshift.io/v1".to_owned(),
        kind: "MachineConfig".to_owned(),
        namespace: String::new(),
        name: format!("90-{index}"),
    }
}

fn daemon_set(index: usize) -> ObjectRef {
    ObjectRef {
        api_version: "apps/v1".to_owned(),
        kind: "DaemonSet".to_owned(),
        namespace: "openshift-cnv".to_owned(),
        name: format!("set-{index}"),
    }
}

/// Argo CD by its back-off on two objects, and a controller of its own on a third.
fn script() -> Script {
    let version = json!({"spec": {"config": {"ignition": {"version": "3.4.0"}}}});
    let selector = json!({"spec": {"selector": {"matchLabels": {"app": "other"}}}});
    let controller = Actor::Controller {
        manager: "other-operator".to_owned(),
        object: daemon_set(1),
        fields: selector,
        period_ms: 600 * SECOND,
    };
    let actors = vec![
        Actor::argocd(machine_config(0), version.clone()),
        Actor::argocd(machine_config(2), version).every(300 * SECOND),
        controller,
    ];
    Script { actors, duration_ms: YEAR, max_entries: 1_000 }
}

fn war(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("simulate");
    group.sample_size(10).warm_up_time(Duration::from_millis(100));
    let catalog = synthetic::catalog(100);
    let cluster = Cluster::from_values(synthetic::objects(12));
    group.bench_function("a year, 100 assets, three actors", |bencher| {
        bencher.iter(|| simulate(black_box(&catalog), &cluster, &script()));
    });
    group.finish();
}

criterion_group!(benches, war);
criterion_main!(benches);
