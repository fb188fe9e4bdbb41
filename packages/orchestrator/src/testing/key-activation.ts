import { FAMILIES } from "@conclave/chains";
import { judgeClaimedKey } from "@conclave/custody";
import {
  attendAttestedKeys,
  type Database,
  doneSubject,
  type Roster,
  type Subscription,
} from "@conclave/platform";
import { processWorld } from "@conclave/platform/world";
import { taprootOutputKey, verifyEd25519 } from "@conclave/threshold";

const bytes = (digits: string) => new Uint8Array(Buffer.from(digits, "hex"));
const checks = {
  isInternalKeyOf: (internalKey: string, publicKey: string) =>
    Buffer.from(taprootOutputKey(bytes(internalKey)) ?? []).toString("hex") === publicKey,
  addressOn: FAMILIES.addressOn,
};

/** Activates attested keys until stopped, as a running gateway does. */
export const activateAsGateway = (
  database: Database,
  signers: Roster["signers"],
  signal: (subject: string) => void = () => undefined,
): Subscription => {
  const verify = (signature: Uint8Array, message: Uint8Array, identityKey: string): boolean =>
    verifyEd25519(signature, message, new Uint8Array(Buffer.from(identityKey, "hex")));
  return attendAttestedKeys({
    world: processWorld,
    database,
    judge: (claimed) =>
      judgeClaimedKey(
        claimed,
        { ...checks, clusters: [{ clusterId: "test", threshold: 2, signers }], verify },
        new Date().toISOString(),
      ),
    settled: (keyId) => signal(doneSubject(keyId)),
    onFailure: () => undefined,
  });
};
