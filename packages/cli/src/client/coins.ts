import { formatUnits } from "viem/utils";

/** Formats an amount in smallest units as whole coins, for people. */
export const coinsOf = (units: string, decimals: number): string => formatUnits(BigInt(units), decimals);
