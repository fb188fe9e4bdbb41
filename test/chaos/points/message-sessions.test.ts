// A session that signs only a message (FROST) leaves no record at a signer. If it could begin a second time with other nonces,
// peers could prove that an honest signer cheated. Here a malicious orchestrator tries that with a signer whose clock steps
// back across a restart.
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
/** Enough for two rounds. */
const LASTS_MS = 8_000;
const BACK_MS = 25_000;
const ANSWER_MS = 60_000;
/** Answers after which a signer may still accept the session: its clock, links or peers are not ready yet. */
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

/** The authorisation of a message, which an orchestrator could keep. */
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

/** A session for a message that any signer can be asked to begin. */
interface MessageSession {
  readonly session: NamedSession;
  readonly command: CommandOf<"signing">;
}

/** @param clockMs how far the victim's clock is from the right time */
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

/** The last report of a signer that is asked to begin a session. @param onBegun called once it has begun */
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

/** Asks a signer to begin a session. @returns the session and the signer's pending last report; undefined if it does not begin */
const begunAt = async (signer: string, session: MessageSession) => {
  let word: Promise<string> = Promise.resolve("");
  const isBegun = await new Promise<boolean>((resolve) => {
    word = wordOf(signer, session, () => resolve(true));
    void word.then(() => resolve(false));
  });
  return isBegun ? { session, word } : undefined;
};

/** Asks a signer repeatedly, until it begins the session or refuses it for good. */
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

/** Expects no fault on record, and no signer that avoids another. */
const expectNobodyBlamed = async (): Promise<void> => {
  expect(await listFaults(database, (fault) => fault)).toEqual([]);
  const statuses = await access.statuses();
  expect([...statuses.keys()]).toHaveLength(3);
  for (const { quarantined } of statuses.values()) expect(quarantined).toEqual([]);
};

/** The same session, with the signers' current lives. */
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
    // the peer accepts the session once its deadline is near enough
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
