// A session that signs a message alone (FROST) leaves no record at a signer. Begun a second time with other nonces, it would make peers prove an
// honest signer a cheat. Here an orchestrator gone bad tries it, by a signer's clock that steps back over a restart.
import type { CommandOf, NamedSession } from "@conclave/cluster";
import { signatureIdSchema } from "@conclave/custody";
import { type Database, listFaults, readSignature } from "@conclave/platform";
import { type Cluster, waitUntil } from "@conclave/testbed";
import { partyIndex } from "@conclave/threshold";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { asGateway } from "../../integration/second-organisation.ts";
import { SignerAccess } from "../../integration/signer-access.ts";
import { startCluster } from "../../integration/throw-away-cluster.ts";
import { FaultyProcess } from "./faulty-process.ts";

const VICTIM = "signer-1";
const PEER = "signer-2";
const QUORUM = [1, 2].flatMap((number) => partyIndex(number) ?? []);
/** Two rounds need less. */
const LASTS_MS = 8_000;
const BACK_MS = 25_000;
const ANSWER_MS = 60_000;
/** A signer that answers so may take the session later: its clock, its links or its peers are not there yet. */
const NOT_YET: readonly string[] = ["lost", "DeadlineTooFar", "StoreUnconfirmed", "AuthorisationNotCurrent"];

const madeSchema = z.object({ id: z.string() });
const signedSchema = z.object({ id: signatureIdSchema, status: z.literal("Signed") });

let cluster: Cluster;
let database: Database;
let access: SignerAccess;
let victim: FaultyProcess;
let keyId: string;
let signed = 0;

beforeAll(async () => {
  cluster = await startCluster({ signers: 3, threshold: 2, faults: true });
  victim = new FaultyProcess(cluster, VICTIM);
  database = asGateway(cluster);
  access = await SignerAccess.open(cluster);
  const asked = { scheme: "EdDSA", curve: "ed25519" };
  keyId = madeSchema.parse((await cluster.api.sendUntilServed("POST", "/keys", asked)).body).id;
});
afterAll(async () => {
  access?.close();
  await database?.close();
  await cluster?.stop();
});

/** The authorisation of a message, which an orchestrator keeps. */
const authorisedMessage = async () => {
  signed += 1;
  const message = `0x${Buffer.from(`message ${signed}`).toString("hex")}`;
  const answer = await cluster.api.sendUntilServed("POST", `/keys/${keyId}/signatures`, {
    kind: "Message",
    message,
  });
  const { id } = signedSchema.parse(answer.body);
  return (await readSignature(database, id))?.authorisation ?? expect.fail(`${id} is not authorised`);
};

/** A session for a message, which may be asked of each signer. */
interface MessageSession {
  readonly session: NamedSession;
  readonly command: CommandOf<"signing">;
}

/** @param clockMs of the victim, as it differs from the right one */
const sessionBy = async (clockMs: number): Promise<MessageSession> => {
  const authorisation = await authorisedMessage();
  return {
    session: await access.freshSession(),
    command: {
      kind: "signing",
      quorum: QUORUM,
      keyId,
      authorisation,
      unsigned: new Uint8Array(0),
      presignatures: [],
      dead: undefined,
      expiresAtMs: Date.now() + clockMs + LASTS_MS,
    },
  };
};

/** The last word of a signer that is asked to begin a session. @param onBegun called once it has begun */
const wordOf = (
  signer: string,
  { session, command }: MessageSession,
  onBegun?: () => void,
): Promise<string> =>
  new Promise((resolve) => {
    access.client(signer).begin(session, command, {
      report: (report) => {
        if (report.kind === "progress") onBegun?.();
        else resolve(report.kind === "refusal" ? report.problem.code : report.kind);
      },
      lost: () => resolve("lost"),
    });
  });

/** Asks a signer to begin a session. @returns the session and the signer's last word to come; undefined when it does not begin */
const begunAt = async (signer: string, session: MessageSession) => {
  let word: Promise<string> = Promise.resolve("");
  const isBegun = await new Promise<boolean>((resolve) => {
    word = wordOf(signer, session, () => resolve(true));
    void word.then(() => resolve(false));
  });
  return isBegun ? { session, word } : undefined;
};

/** Asks a signer again and again, until it either begins the session or never will. */
const finalWordOf = (signer: string, session: MessageSession): Promise<string> => {
  let last = "";
  return waitUntil(
    async () => {
      last = await wordOf(signer, session);
      return NOT_YET.includes(last) ? undefined : last;
    },
    { what: () => `${signer} to begin or refuse (last: ${last})`, deadlineMs: ANSWER_MS },
  );
};

const restartVictim = async (clockMs: number): Promise<void> => {
  await cluster.stopProcess(VICTIM);
  victim.order({ clockMs });
  await cluster.restart(VICTIM);
};

/** Nobody is on record as a cheat, and no signer keeps itself from another. */
const expectNobodyBlamed = async (): Promise<void> => {
  expect(await listFaults(database, (fault) => fault)).toEqual([]);
  const statuses = await access.statuses();
  expect([...statuses.keys()]).toHaveLength(3);
  for (const { quarantined } of statuses.values()) expect(quarantined).toEqual([]);
};

/** The same session, as it would be in the lives that the signers have now. */
const inLivesOfNow = async ({ session: { session }, command }: MessageSession): Promise<MessageSession> => ({
  session: { session, lives: await access.lives() },
  command,
});

describe("INV-7 a session for a message alone, at a signer whose clock steps back over a restart", () => {
  it("is another run in its next life, and its peer, which kept the first list, blames nobody", async () => {
    await restartVictim(BACK_MS);
    const first = await waitUntil(
      async () => {
        return begunAt(VICTIM, await sessionBy(BACK_MS));
      },
      { what: `${VICTIM} to begin`, deadlineMs: ANSWER_MS },
    );
    await restartVictim(0);
    // it begins there once its deadline is near enough
    const held = await waitUntil(() => begunAt(PEER, first.session), {
      what: `${PEER} to begin`,
      deadlineMs: ANSWER_MS,
    });
    expect(await wordOf(VICTIM, first.session)).toBe("SignerLifeUnknown");
    const now = await inLivesOfNow(first.session);
    expect(await wordOf(PEER, now)).toBe("SessionReused");
    void wordOf(VICTIM, now);
    expect(await held.word).toBe("failure");
    await expectNobodyBlamed();
  });

  it("is signed at once after a restart, and no second time once the clock shows the time of the first", async () => {
    await restartVictim(0);
    const first = await waitUntil(
      async () => {
        const next = await sessionBy(0);
        const words = await Promise.all([wordOf(VICTIM, next), wordOf(PEER, next)]);
        return words.every((word) => word === "signed") ? next : undefined;
      },
      { what: "a signed message", deadlineMs: ANSWER_MS },
    );
    await restartVictim(-BACK_MS);
    expect(await finalWordOf(VICTIM, first)).toBe("SignerLifeUnknown");
    await restartVictim(0);
    await expectNobodyBlamed();
  });
});
