import { AGAVE_VERSION, type AgaveMethod, agaveMethod, agaveResult } from "./method.ts";

/** the feature set of the programs that run here */
const FEATURE_SET = 0;

/** @source Solana documentation, RPC: HTTP methods */
export const AGAVE_NODE_METHODS: Readonly<Record<string, AgaveMethod>> = {
  getHealth: agaveMethod({}, () => agaveResult("ok")),
  getVersion: agaveMethod({}, () =>
    agaveResult({ "solana-core": AGAVE_VERSION, "feature-set": FEATURE_SET }),
  ),
  getGenesisHash: agaveMethod({}, ({ state }) => agaveResult(state.genesis.hash)),
};
