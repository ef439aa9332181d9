import type { GridShape } from "@/components/grid/columns";

export const SHAPE: GridShape = { firstColumn: 56, column: 310, row: 136, header: 52 };
