import { FAMILIES } from "@conclave/chains";
import { judgeClaimedKey } from "@conclave/custody";
import {
  attendAttestedKeys,
  type Database,
  doneSubject,
  type Roster,
  type Subscription,
} from "@conclave/platform";
import { verifyEd25519 } from "@conclave/threshold";

/** Activates attested keys until stopped, as the gateway does beside an orchestrator. */
export const activateAsGateway = (
  database: Database,
  signers: Roster["signers"],
  signal: (subject: string) => void = () => undefined,
): Subscription => {
  const verify = (signature: Uint8Array, message: Uint8Array, identityKey: string): boolean =>
    verifyEd25519(signature, message, new Uint8Array(Buffer.from(identityKey, "hex")));
  return attendAttestedKeys({
    database,
    judge: (claimed) =>
      judgeClaimedKey(claimed, { signers, verify, addressOn: FAMILIES.addressOn }, new Date().toISOString()),
    settled: (keyId) => signal(doneSubject(keyId)),
    onFailure: () => undefined,
  });
};
