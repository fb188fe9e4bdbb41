import { randomBytes, sign } from "node:crypto";
import { AUXILIARY_ATTEMPT_MS, type Command, type KeyHolding } from "@conclave/cluster";
import {
  authorisedAuxiliarySchema,
  authorisedKeyChangeSchema,
  keyChangeIdSchema,
  type SignedAuthorisation,
} from "@conclave/custody";
import { freshId, type SignerClient, type StreamReport } from "@conclave/platform";
import { livesOf } from "@conclave/platform/coordination";
import type { PartyIndex } from "@conclave/threshold";
import type { Premises } from "../further-family/cluster.ts";
import { authorityKey } from "../further-family/lying-orchestrator.ts";
import { PATIENCE_MS } from "../patience.ts";

const authorised = async (premises: Premises, request: object): Promise<SignedAuthorisation> => {
  const payload = new Uint8Array(Buffer.from(JSON.stringify(request)));
  return { payload, signature: new Uint8Array(sign(null, payload, await authorityKey(premises))) };
};

/** The fields common to all requests for a new epoch. */
const requested = () => ({
  version: 1,
  requestId: freshId(keyChangeIdSchema, "kch"),
  dateRequested: new Date().toISOString(),
});

const partiesOf = ({ roster }: Premises): readonly number[] => roster.signers.map(({ index }) => index);

/** A refresh of a key to an epoch, authorised as for an operator. */
export const keyRefresh = async (
  premises: Premises,
  { keyId, publicKey, epoch }: KeyHolding,
  nextEpoch: number,
): Promise<Command> => {
  const change = authorisedKeyChangeSchema.parse({
    ...requested(),
    kind: "key-refresh",
    keyId,
    publicKey: Buffer.from(publicKey).toString("hex"),
    epoch,
    nextEpoch,
    threshold: premises.roster.threshold,
    parties: partiesOf(premises),
  });
  const authorisation = await authorised(premises, change);
  return { kind: "key-refresh", authorisation, expiresAtMs: Date.now() + PATIENCE_MS };
};

/** A renewal of the auxiliary information. */
export const auxiliaryRenewal = async (premises: Premises, from: number): Promise<Command> => {
  const epoch = from + 1;
  const renewal = authorisedAuxiliarySchema.parse({
    ...requested(),
    kind: "auxiliary",
    from,
    epoch,
    parties: partiesOf(premises),
  });
  const authorisation = await authorised(premises, renewal);
  return { kind: "auxiliary", epoch, authorisation, expiresAtMs: Date.now() + AUXILIARY_ATTEMPT_MS };
};

/** A session begun at all signers, with each signer's last report. */
export interface BegunRun {
  readonly session: Uint8Array;
  readonly last: ReadonlyMap<PartyIndex, StreamReport>;
  /** why streams of signers broke off, which a test shows when it waits in vain */
  readonly lost: readonly string[];
  /** disconnects the orchestrator, as a lying one may do at any moment */
  readonly leave: () => void;
}

/** Begins a session at all signers, as a holder of the orchestrator's certificate can. */
export const beginAtAll = async (signers: readonly SignerClient[], command: Command): Promise<BegunRun> => {
  const lives = await livesOf(signers);
  const session = new Uint8Array(randomBytes(32));
  const last = new Map<PartyIndex, StreamReport>();
  const lost: string[] = [];
  const calls = signers.map((signer) =>
    signer.begin({ session, lives }, command, {
      report: (report) => {
        if (report.kind !== "progress") last.set(signer.index, report);
      },
      lost: (reason) => void lost.push(`signer-${signer.index}: ${reason}`),
    }),
  );
  return {
    session,
    last,
    lost,
    leave: () => {
      for (const call of calls) call.cancel();
    },
  };
};
