import { formatUnits } from "viem/utils";

/** Units of the smallest kind, as people write them. */
export const coinsOf = (units: string, decimals: number): string => formatUnits(BigInt(units), decimals);
