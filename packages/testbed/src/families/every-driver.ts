import { ALGORAND } from "./algorand.ts";
import { BITCOIN } from "./bitcoin.ts";
import type { FamilyDriver } from "./driver.ts";
import { SOLANA } from "./solana.ts";
import { STELLAR } from "./stellar.ts";
import { XRPL } from "./xrpl.ts";

/** One network of each family whose local node is a simulated ledger. */
export const FAMILY_DRIVERS: readonly FamilyDriver[] = [ALGORAND, BITCOIN, SOLANA, STELLAR, XRPL];
