//! Exponentially weighted means.

/// A mean that forgets.
#[derive(Clone, Copy, Debug)]
pub struct Average {
    /// Of the old mean.
    weight: f64,
    mean: Option<f64>,
}

impl Average {
    /// Without a sample yet.
    pub const fn new(weight: f64) -> Self {
        Average { weight, mean: None }
    }

    /// Another sample; the first one is the mean.
    pub fn add(&mut self, sample: f64) {
        let mean = self.mean.unwrap_or(sample);
        self.mean = Some(self.weight * mean + (1.0 - self.weight) * sample);
    }

    /// The mean, if there is a sample.
    pub const fn get(&self) -> Option<f64> {
        self.mean
    }

    /// Forget all samples.
    pub fn clear(&mut self) {
        self.mean = None;
    }
}
