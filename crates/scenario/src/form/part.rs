//! [scheme], [routing], [topology], [radio], [mac], [wired], [mobility] and [traffic]: a part that is chosen by its name,
//! and parameters that only the part knows.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{Error, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::ParamValue;

/// Which section it is.
pub(crate) trait Section {
    /// The section's name.
    const NAME: &'static str;
    /// The key that chooses.
    const KEY: &'static str;
    /// Whether that key has to be there.
    const NEEDED: bool;
}

/// The section of a part.
#[derive(Clone, Debug)]
pub(crate) struct Part<S> {
    /// The part that is chosen; the default one where none is.
    pub(crate) name: Option<String>,
    pub(crate) params: BTreeMap<String, ParamValue>,
    section: PhantomData<S>,
}

impl<S> Default for Part<S> {
    fn default() -> Self {
        Part { name: None, params: BTreeMap::new(), section: PhantomData }
    }
}

/// Declares the sections.
macro_rules! sections {
    ($($part:ident $marker:ident $name:literal $key:literal $needed:literal;)*) => {$(
        #[doc = concat!("Marker of [", $name, "].")]
        #[derive(Clone, Debug)]
        pub(crate) enum $marker {}
        impl Section for $marker {
            const NAME: &'static str = $name;
            const KEY: &'static str = $key;
            const NEEDED: bool = $needed;
        }
        #[doc = concat!("The section [", $name, "].")]
        pub(crate) type $part = Part<$marker>;
    )*};
}

sections! {
    SchemePart InScheme "scheme" "name" true;
    RoutingPart InRouting "routing" "kind" false;
    TopologyPart InTopology "topology" "kind" true;
    RadioPart InRadio "radio" "propagation" false;
    MacPart InMac "mac" "kind" false;
    WiredPart InWired "wired" "kind" false;
    MobilityPart InMobility "mobility" "kind" true;
    TrafficPart InTraffic "traffic" "kind" false;
}

/// The section of these keys, of which one may choose the part.
impl<S: Section> From<BTreeMap<String, ParamValue>> for Part<S> {
    fn from(mut params: BTreeMap<String, ParamValue>) -> Self {
        let name = match params.remove(S::KEY) {
            Some(ParamValue::Text(name)) => Some(name),
            Some(other) => {
                params.insert(S::KEY.to_owned(), other);
                None
            }
            None => None,
        };
        Part { name, params, section: PhantomData }
    }
}

/// What the schema knows a section as; its content is written by [`crate::schema`], which knows
/// what there is.
impl<S: Section> JsonSchema for Part<S> {
    fn schema_name() -> Cow<'static, str> {
        S::NAME.into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        Schema::default()
    }
}

impl<S: Section> Serialize for Part<S> {
    fn serialize<To: Serializer>(&self, serializer: To) -> Result<To::Ok, To::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Some(name) = &self.name {
            map.serialize_entry(S::KEY, name)?;
        }
        for (name, value) in &self.params {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

struct PartVisitor<S>(PhantomData<S>);

impl<'de, S: Section> Visitor<'de> for PartVisitor<S> {
    type Value = Part<S>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a table with a {} and parameters", S::KEY)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Part<S>, E> {
        let (name, key) = (S::NAME, S::KEY);
        Err(E::custom(format!("is a table; did you mean {name}.{key} = \"{text}\"?")))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Part<S>, A::Error> {
        let (mut chosen, mut params) = (None, BTreeMap::new());
        while let Some(key) = map.next_key::<String>()? {
            if key == S::KEY {
                chosen = Some(map.next_value()?);
            } else {
                params.insert(key, map.next_value()?);
            }
        }
        if chosen.is_none() && S::NEEDED {
            return Err(A::Error::missing_field(S::KEY));
        }
        Ok(Part { name: chosen, params, section: PhantomData })
    }
}

impl<'de, S: Section> Deserialize<'de> for Part<S> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PartVisitor(PhantomData))
    }
}
