import { i18n } from "@/lib/i18n";
import { locale } from "@/lib/locale";

const ENTITIES = ["name", "number", "money", "date", "email", "url", "identifier"] as const;
const AMBIGUITY = ["clear", "open", "ambiguous"] as const;
const LENGTHS = ["XS", "S", "M", "L", "XL"] as const;
const SPLITS = ["train", "holdout"] as const;

/** Label of a bucket's value; unknown values are shown as is. */
export function bucketLabel(dimension: string, value: string): string {
  switch (dimension) {
    case "language":
      try {
        return new Intl.DisplayNames(locale, { type: "language" }).of(value) ?? value;
      } catch {
        return value;
      }
    case "entities": {
      const entity = ENTITIES.find((each) => each === value);
      return entity === undefined ? value : i18n.t(`datasets.coverage.entity.${entity}`);
    }
    case "ambiguity": {
      const level = AMBIGUITY.find((each) => each === value);
      return level === undefined ? value : i18n.t(`datasets.coverage.level.${level}`);
    }
    case "length": {
      const length = LENGTHS.find((each) => each === value);
      return length === undefined ? value : i18n.t(`datasets.generate.lengths.${length}`);
    }
    case "split": {
      const split = SPLITS.find((each) => each === value);
      return split === undefined ? value : i18n.t(`datasets.splits.${split}`);
    }
    case "difficulty":
      return i18n.t("datasets.difficultyIs", { value });
    default:
      return value;
  }
}
