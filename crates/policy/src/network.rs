//! A feed-forward neural network, evaluated in one order of operations, so that its outputs are the same everywhere.

use serde::Deserialize;

/// So many layers a network has at most.
pub const MOST_LAYERS: usize = 8;

/// So many outputs a layer has at most.
pub const MOST_WIDTH: usize = 256;

/// So many weights, biases included, a network has at most: each is multiplied at every control step of every node.
pub const MOST_WEIGHTS: usize = 100_000;

/// What a layer does with its sums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Activation {
    /// Nothing.
    #[default]
    Linear,
    /// The hyperbolic tangent.
    Tanh,
    /// 0 for what is below.
    Relu,
    /// The logistic function.
    Sigmoid,
}

impl Activation {
    fn of(self, sum: f64) -> f64 {
        match self {
            Activation::Linear => sum,
            Activation::Tanh => libm::tanh(sum),
            Activation::Relu => sum.max(0.0),
            Activation::Sigmoid => 1.0 / (1.0 + libm::exp(-sum)),
        }
    }
}

/// A layer: a row of weights and a bias for each output.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Layer {
    weights: Vec<Vec<f64>>,
    bias: Vec<f64>,
    #[serde(default)]
    activation: Activation,
}

/// A network.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(transparent)]
pub(crate) struct Network(Vec<Layer>);

impl Network {
    /// Whether it takes so many inputs and has so many outputs.
    ///
    /// # Errors
    /// If not: the layer, what it has, and what it should have.
    pub(crate) fn check(&self, inputs: usize, outputs: usize) -> Result<(), String> {
        let layers = &self.0;
        if layers.is_empty() || layers.len() > MOST_LAYERS {
            let count = layers.len();
            return Err(format!("layers: there are {count}; write 1 to {MOST_LAYERS}"));
        }
        let mut width = inputs;
        let mut weights = 0;
        for (at, layer) in layers.iter().enumerate() {
            let rows = layer.weights.len();
            if rows == 0 || rows > MOST_WIDTH {
                return Err(format!(
                    "layers[{at}].weights: there are {rows} rows; write 1 to {MOST_WIDTH}, one for each output"
                ));
            }
            if layer.bias.len() != rows {
                return Err(format!(
                    "layers[{at}].bias: there are {} numbers; write {rows}, one for each row of weights",
                    layer.bias.len()
                ));
            }
            let odd = layer.weights.iter().position(|row| row.len() != width);
            if let Some(row) = odd {
                let what = if at == 0 { "feature that is observed" } else { "output before" };
                return Err(format!(
                    "layers[{at}].weights[{row}]: there are {} numbers; write {width}, one for each {what}",
                    layer.weights[row].len()
                ));
            }
            weights += rows * (width + 1);
            width = rows;
        }
        if weights > MOST_WEIGHTS {
            return Err(format!(
                "layers: there are {weights} weights and biases; at most {MOST_WEIGHTS} are possible: take a smaller network"
            ));
        }
        if width != outputs {
            return Err(format!(
                "layers: the last has {width} outputs; it needs {outputs}, one for each control"
            ));
        }
        Ok(())
    }

    /// Its outputs.
    pub(crate) fn of(&self, inputs: &[f64]) -> Vec<f64> {
        let mut values = inputs.to_vec();
        for Layer { weights, bias, activation } in &self.0 {
            let sums = weights.iter().zip(bias).map(|(row, bias)| {
                row.iter().zip(&values).fold(*bias, |sum, (weight, value)| sum + weight * value)
            });
            values = sums.map(|sum| activation.of(sum)).collect();
        }
        values
    }
}
