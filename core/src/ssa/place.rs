//! Where in an object a field is.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::field_set::{FieldSet, PathElement};
use super::schema::{Schema, Shape, TypeId, Types};
use super::typed::elements;
use crate::pointer::Pointer;

/// A field of an object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    /// The path as the server prints it, for example `.spec.ports[port=80,protocol="TCP"].name`.
    pub path: String,
    /// Where that is in the object: the items of a list by their number. Absent for an item that is not there.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pointer: Option<Pointer>,
}

/// The places of a set's fields in an object, in the order in which the server lists them.
pub(super) fn places(schema: &Schema, set: &FieldSet<'_>, object: &Map<String, Value>) -> Vec<Place> {
    let mut places = Vec::new();
    collect(&Level::root(schema, Some(object)), set, &mut String::new(), &mut Some(Vec::new()), &mut places);
    places
}

fn collect(
    level: &Level<'_>,
    set: &FieldSet<'_>,
    path: &mut String,
    tokens: &mut Option<Vec<String>>,
    places: &mut Vec<Place>,
) {
    for node in set.nodes.iter().filter(|node| node.member) {
        let token = level.step(&node.element).token;
        let pointer = tokens
            .as_ref()
            .zip(token)
            .map(|(tokens, token)| Pointer::from_tokens(tokens.iter().cloned().chain([token])));
        places.push(Place { path: format!("{path}{}", node.element), pointer });
    }
    for node in set.nodes.iter().filter(|node| !node.children.is_empty()) {
        let step = level.step(&node.element);
        let length = path.len();
        path.push_str(&node.element.to_string());
        let mut below = tokens
            .as_ref()
            .zip(step.token.clone())
            .map(|(tokens, token)| tokens.iter().cloned().chain([token]).collect());
        collect(&Level::below(level.types, step), &node.children, path, &mut below, places);
        path.truncate(length);
    }
}

/// A map or list of an object on the way to a field.
pub(super) struct Level<'v> {
    pub(super) types: &'v Types,
    kind: Option<Shape<'v>>,
    fields: Option<&'v Map<String, Value>>,
    items: &'v [Value],
    /// The items by element, sorted, where items are told apart.
    index: Vec<(PathElement<'v>, usize)>,
}

/// What a path element leads to.
pub(super) struct Step<'v> {
    /// The token of a pointer; absent for an item that is not there.
    pub(super) token: Option<String>,
    pub(super) value: Option<&'v Value>,
    of: Option<TypeId>,
}

impl<'v> Level<'v> {
    pub(super) fn root(schema: &'v Schema, object: Option<&'v Map<String, Value>>) -> Self {
        let kind = Some(Shape::Map(schema.object()));
        Self { types: &schema.types, kind, fields: object, items: &[], index: Vec::new() }
    }

    pub(super) fn below(types: &'v Types, step: Step<'v>) -> Self {
        let kind = step.of.map(|of| match step.value {
            Some(value) => types.get(of).shape(value),
            None => types.get(of).first_shape(),
        });
        let items = step.value.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let mut index = Vec::new();
        if let Some(Shape::List(list)) = kind
            && !list.atomic
        {
            index = elements(types, list, items).into_iter().zip(0..).collect();
            index.sort_by(|a, b| a.0.cmp(&b.0));
        }
        Self { types, kind, fields: step.value.and_then(Value::as_object), items, index }
    }

    pub(super) fn step(&self, element: &PathElement<'_>) -> Step<'v> {
        let of = match (self.kind, element) {
            (Some(Shape::Map(map)), PathElement::Field(name)) => map.type_of(name),
            (Some(Shape::List(list)), _) => Some(list.items),
            _ => None,
        };
        let place = match element {
            PathElement::Field(name) => {
                let value = self.fields.and_then(|fields| fields.get(name.as_ref()));
                return Step { token: Some(name.clone().into_owned()), value, of };
            }
            PathElement::Index(index) => usize::try_from(*index).ok(),
            PathElement::Key(_) | PathElement::Value(_) => {
                let found = self.index.partition_point(|(indexed, _)| indexed < element);
                self.index.get(found).filter(|(indexed, _)| indexed == element).map(|(_, place)| *place)
            }
        };
        let value = place.and_then(|place| self.items.get(place));
        Step { token: place.map(|place| place.to_string()), value, of }
    }
}
