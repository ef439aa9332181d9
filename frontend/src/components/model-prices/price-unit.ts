import type { TokenCount } from "@/lib/format";
import { storedChoice } from "@/lib/stored-choice";

/** Token unit of prices; stored in the browser. */
const unit = storedChoice<TokenCount>("edison-price-unit", ["thousand", "million"], "million");

export const setPriceUnit = unit.set;
export const usePriceUnit = unit.use;
