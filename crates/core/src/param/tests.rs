use super::*;

const SHARE: Number =
    Number { name: "share", unit: "", about: "a share", default: 0.0, min: 0.0, max: 1.0 };
const CODING: Switch = Switch { name: "coding", about: "packets are coded", default: false };

/// Why a parameter that is heeded only while `other` is like `is` has no effect where `other` has this value.
fn idle(other: Param, is: While, given: Option<Value>) -> Option<String> {
    let dependent = SHARE.param().only_while(other.name, is);
    let given: Vec<_> = given.map(|value| (other.name.to_owned(), value)).into_iter().collect();
    let values = Values::new(&[other], &given).expect("it is within its bounds");
    dependent.idle("scheme", &[other], &values)
}

#[test]
fn a_parameter_is_heeded_above_a_bound_and_not_at_it() {
    let above = |given| idle(SHARE.param(), While::Above(0.25), given);
    assert_eq!(above(Some(Value::Number(0.5))), None);
    assert_eq!(above(Some(Value::Number(0.25))).as_deref(), Some("which has scheme.share = 0.25"));
    assert_eq!(above(None).as_deref(), Some("which has scheme.share = 0"));
}

#[test]
fn a_parameter_is_heeded_while_its_switch_is_as_it_wants() {
    let with = |wanted, on| idle(CODING.param(), While::Switch(wanted), Some(Value::Switch(on)));
    assert_eq!((with(true, true), with(false, false)), (None, None));
    assert_eq!(with(true, false).as_deref(), Some("which has scheme.coding = false"));
    assert_eq!(with(false, true).as_deref(), Some("which has scheme.coding = true"));
}

#[test]
fn a_parameter_is_heeded_while_a_choice_is_another_one() {
    const AMONG: &[Alternative] =
        &[Alternative { name: "plain", about: "" }, Alternative { name: "late", about: "" }];
    const RULES: Choice<u8> =
        Choice { name: "rules", about: "rules", among: AMONG, values: &[0, 1] };
    let with = |at| idle(RULES.param(), While::Other("plain"), Some(Value::Choice(at)));
    assert_eq!(with(1), None);
    assert_eq!(with(0).as_deref(), Some("which has scheme.rules = \"plain\""));
}

#[test]
fn numbers_are_whole_and_within_their_bound_and_may_be_none() {
    const NEAR: Numbers = Numbers { name: "near", about: "neighbours", max: 9 };
    let values = |numbers: &[u32]| {
        let given = [("near".to_owned(), Value::Numbers(numbers.into()))];
        Values::new(&[NEAR.param()], &given).map_err(|error| error.to_string())
    };
    let read = |numbers: &[u32]| values(numbers).map(|values| values.get(NEAR).to_vec());
    assert_eq!(read(&[7, 3]), Ok(vec![7, 3]));
    assert_eq!(
        (read(&[]), Values::new(&[], &[]).map(|none| none.get(NEAR).len())),
        (Ok(vec![]), Ok(0))
    );
    let refused = "parameter 'near' needs whole numbers, each at most 9 (got [3, 10])";
    assert_eq!(read(&[3, 10]).unwrap_err(), refused);
}

#[test]
fn a_parameter_that_nothing_depends_on_is_always_heeded() {
    let values = Values::new(&[], &[]).expect("there are none");
    assert_eq!(SHARE.param().idle("scheme", &[], &values), None);
    let other = SHARE.param().only_while("absent", While::Above(0.0));
    assert_eq!(other.idle("scheme", &[], &values), None, "nobody has given the other one");
}

#[test]
fn a_parameter_does_not_exceed_the_one_that_it_must_not() {
    const LEAST: Param = Number { name: "least", default: 0.2, ..SHARE }.param().at_most("most");
    const MOST: Param = Number { name: "most", default: 0.5, ..SHARE }.param();
    let values = |given: &[(&str, f64)]| {
        let given = given.iter().map(|(name, number)| ((*name).to_owned(), Value::Number(*number)));
        Values::new(&[LEAST, MOST], &given.collect::<Vec<_>>()).map_err(|error| error.to_string())
    };
    assert!(values(&[]).is_ok() && values(&[("least", 0.5)]).is_ok());
    assert!(values(&[("least", 0.9), ("most", 0.9)]).is_ok());
    assert_eq!(
        values(&[("least", 0.7)]).unwrap_err(),
        "parameter 'least' must not exceed most (0.7 against 0.5)"
    );
    assert_eq!(
        values(&[("most", 0.1)]).unwrap_err(),
        "parameter 'most' must not be below least (0.1 against 0.2)"
    );
    assert!(Values::new(&[LEAST], &[]).is_ok(), "there is nothing to exceed");
}
