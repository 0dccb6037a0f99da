//! The words that options take for values of modules which know no command line.

use clap::ValueEnum;
use clap::builder::PossibleValue;

use crate::analysis::RatingModel;

impl ValueEnum for RatingModel {
    fn value_variants<'a>() -> &'a [RatingModel] {
        &RatingModel::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self {
            RatingModel::Logistic => {
                "Expected points on the logistic curve, nothing assumed of draws; errors by position or pair"
            }
            RatingModel::Davidson => "Davidson's model of wins, draws and losses; errors by pair",
        };
        Some(PossibleValue::new(self.name()).help(help))
    }
}
