//! Keys that are changed in the text of a scenario. Comments, order and whatever else its author wrote stay.

use multihop_core::NodeId;
use multihop_setup::{Node, Source};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, TableLike, Value};

use crate::refusal::Refusal;

/// A key that is changed: `topology.hops`, `node[2].x`, `node[2]` for one of several tables, or `node[]` for another
/// one behind them. Without a value it is taken away.
#[derive(Deserialize)]
pub struct Edit {
    key: String,
    #[serde(default)]
    value: Option<Json>,
}

/// Which of several tables.
#[derive(Clone, Copy)]
enum TableIndex {
    /// There is one.
    Only,
    /// The one with this number.
    At(usize),
    /// A new one behind the last.
    Last,
}

/// `text` with `edits`, one after the other.
pub fn edited(text: &str, edits: Vec<Edit>) -> Result<String, Refusal> {
    let mut document = parsed(text)?;
    for Edit { key, value } in edits {
        set(&mut document, &key, value)
            .ok_or_else(|| Refusal::from(format!("'{key}' cannot be set there").as_str()))?;
    }
    Ok(document.to_string())
}

/// `text` with the `nodes` of its topology one by one, and the flows that the topology makes.
pub fn explicit(text: &str, nodes: &[Node], made: &[Source]) -> Result<String, Refusal> {
    let mut document = parsed(text)?;
    let kind = document.get("topology").and_then(|topology| topology.get("kind"));
    if kind.and_then(Item::as_str) == Some("explicit") {
        return Ok(text.to_owned());
    }
    let mut flows = ArrayOfTables::new();
    for source in made {
        let name = |node: NodeId| nodes.get(node.index()).map(|node| node.name.as_str());
        let (from, to) = (name(source.flow.source), name(source.flow.destination));
        flows.push(table(&json!({ "from": from, "to": to })));
    }
    flows.extend(tables(&document, "flow"));
    let mut places = ArrayOfTables::new();
    for node in nodes {
        let metres = |metres: f64| format!("{metres} m");
        let place = json!({ "name": node.name, "x": metres(node.x), "y": metres(node.y) });
        places.push(table(&place));
    }
    let mut topology = Table::new();
    topology.insert("kind", "explicit".into());
    if let Some(Item::Table(old)) = document.get("topology") {
        topology.set_position(old.position().unwrap_or_default());
        *topology.decor_mut() = old.decor().clone();
    }
    document.insert("topology", Item::Table(topology));
    document.insert("node", Item::ArrayOfTables(places));
    document.insert("flow", Item::ArrayOfTables(flows));
    Ok(document.to_string())
}

fn parsed(text: &str) -> Result<DocumentMut, Refusal> {
    text.parse().map_err(|error: toml_edit::TomlError| {
        let said = error.message().trim_end().replace('\n', ", ");
        Refusal::from(format!("not valid TOML: {said}").as_str())
    })
}

/// The tables of an array, in either of its forms.
fn tables(document: &DocumentMut, name: &str) -> Vec<Table> {
    match document.get(name) {
        Some(Item::ArrayOfTables(tables)) => tables.iter().cloned().collect(),
        Some(Item::Value(Value::Array(array))) => {
            let inline = array.iter().filter_map(Value::as_inline_table);
            inline.map(|table| table.clone().into_table()).collect()
        }
        _ => Vec::new(),
    }
}

fn set(document: &mut DocumentMut, key: &str, value: Option<Json>) -> Option<()> {
    let mut segments: Vec<(&str, TableIndex)> =
        key.split('.').map(segment).collect::<Option<_>>()?;
    let (last, place) = segments.pop()?;
    let mut inner: &mut dyn TableLike = document.as_table_mut();
    for (name, place) in segments {
        if value.is_none() && !inner.contains_key(name) {
            return Some(());
        }
        let item = inner.entry(name).or_insert_with(|| Item::Table(Table::new()));
        inner = match place {
            TableIndex::Only => item.as_table_like_mut()?,
            TableIndex::At(at) => element(item, at)?,
            TableIndex::Last => return None,
        };
    }
    match (place, value) {
        (TableIndex::Only, Some(value)) => put(inner, last, &value),
        (TableIndex::Only, None) => {
            take_away(inner, last);
            Some(())
        }
        (TableIndex::Last, Some(value)) => push(inner, last, &value),
        (TableIndex::At(at), None) => remove(inner, last, at),
        (TableIndex::At(_), Some(_)) | (TableIndex::Last, None) => None,
    }
}

/// A part of a key: a name, and which of several.
fn segment(text: &str) -> Option<(&str, TableIndex)> {
    let Some((name, index)) = text.split_once('[') else { return Some((text, TableIndex::Only)) };
    let index = index.strip_suffix(']')?;
    let place =
        if index.is_empty() { TableIndex::Last } else { TableIndex::At(index.parse().ok()?) };
    Some((name, place))
}

fn element(item: &mut Item, at: usize) -> Option<&mut dyn TableLike> {
    match item {
        Item::ArrayOfTables(tables) => Some(tables.get_mut(at)?),
        Item::Value(Value::Array(array)) => Some(array.get_mut(at)?.as_inline_table_mut()?),
        _ => None,
    }
}

/// The value stands where the old one stood, with the comment behind it.
fn put(table: &mut dyn TableLike, name: &str, json: &Json) -> Option<()> {
    let mut new = value(json);
    match table.get_mut(name) {
        Some(Item::Value(old)) => {
            *new.decor_mut() = old.decor().clone();
            *old = new;
        }
        Some(_) => return None,
        None => drop(table.insert(name, Item::Value(new))),
    }
    Some(())
}

/// A comment above the key goes to the one below it: it may be that of the whole file.
fn take_away(table: &mut dyn TableLike, name: &str) {
    let next = table.iter().map(|(key, _)| key.to_owned()).skip_while(|key| key != name).nth(1);
    let above = |table: &mut dyn TableLike, key: &str| {
        let decor = table.key_mut(key)?.leaf_decor().prefix()?.as_str()?.to_owned();
        Some(decor)
    };
    let comment = above(table, name).filter(|comment| comment.contains('#'));
    if let (Some(comment), Some(next)) = (comment, next) {
        let own = above(table, &next).unwrap_or_default();
        if let Some(mut key) = table.key_mut(&next) {
            key.leaf_decor_mut().set_prefix(format!("{comment}{own}"));
        }
    }
    table.remove(name);
}

fn push(inner: &mut dyn TableLike, name: &str, json: &Json) -> Option<()> {
    let none = || Item::ArrayOfTables(ArrayOfTables::new());
    match inner.entry(name).or_insert_with(none) {
        Item::ArrayOfTables(tables) => tables.push(table(json)),
        Item::Value(Value::Array(array)) => array.push(value(json)),
        _ => return None,
    }
    Some(())
}

fn remove(inner: &mut dyn TableLike, name: &str, at: usize) -> Option<()> {
    match inner.get_mut(name)? {
        Item::ArrayOfTables(tables) if at < tables.len() => drop(tables.remove(at)),
        Item::Value(Value::Array(array)) if at < array.len() => drop(array.remove(at)),
        _ => return None,
    }
    Some(())
}

fn table(json: &Json) -> Table {
    let mut table = Table::new();
    for (name, json) in json.as_object().into_iter().flatten() {
        table.insert(name, Item::Value(value(json)));
    }
    table
}

/// A value of JSON as one of TOML, which has no `null`.
fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::from(""),
        Json::Bool(on) => (*on).into(),
        Json::Number(number) => number
            .as_i64()
            .map_or_else(|| Value::from(number.as_f64().unwrap_or_default()), Value::from),
        Json::String(text) => text.as_str().into(),
        Json::Array(values) => Value::Array(values.iter().map(value).collect::<Array>()),
        Json::Object(entries) => {
            let entries = entries.iter().map(|(name, json)| (name.as_str(), value(json)));
            Value::InlineTable(entries.collect::<InlineTable>())
        }
    }
}
