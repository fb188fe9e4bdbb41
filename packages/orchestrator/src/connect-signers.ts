import { SignerClient } from "@conclave/platform/grpc";
import { partyIndex } from "@conclave/threshold";
import type { OrchestratorConfig } from "./config.ts";

/** One gRPC client for each signer of the roster, without a call to any of them. */
export const connectSigners = ({ roster, tls }: OrchestratorConfig): readonly SignerClient[] =>
  roster.signers.flatMap(({ index, address }) => {
    const party = partyIndex(index);
    return party === undefined ? [] : [new SignerClient({ index: party, address }, tls)];
  });
