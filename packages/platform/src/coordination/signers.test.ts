import { fail, ok, type World } from "@conclave/custody";
import { partyIndex } from "@conclave/threshold";
import { afterEach, expect, test } from "vitest";
import type { SignerStatus } from "../grpc/index.ts";
import { IDLE_STATUS } from "../testing/signers/idle-status.ts";
import { processWorld } from "../world.ts";
import { livesOf } from "./lives-of.ts";
import type { Signer } from "./signer.ts";
import { Signers } from "./signers.ts";

const index = partyIndex(1) ?? expect.fail("it is an index");
const LIFE = Buffer.alloc(16, 1);
const STATUS: SignerStatus = { ...IDLE_STATUS, index, id: "signer-1", life: LIFE };
const away = async () => fail("ServiceUnavailable");

let watched: Signers | undefined;
afterEach(() => watched?.close());

/** A signer that serves and shows this life. */
const serving = (life: Uint8Array | undefined): Signer => ({
  index,
  begin: () => ({ cancel: () => undefined }),
  activateKey: away,
  attestKey: away,
  discardKey: away,
  switchEpoch: away,
  getCertificate: away,
  getKeyInfo: away,
  discardPresignatures: away,
  listPresignatures: away,
  getSigned: away,
  getStatus: async () => ok({ ...STATUS, life }),
  listKeys: away,
  watchHealth: (changed) => {
    changed(true);
    return { close: () => undefined };
  },
  close: () => undefined,
});

/** A world without timers, so that nothing is asked at an interval. */
const heldWorld: World = { ...processWorld, after: () => ({ stop: () => undefined }) };

const watching = (signer: Signer, world = processWorld): Signers => {
  const entry = {
    index,
    id: "signer-1",
    address: "127.0.0.1:1",
    identityKey: "",
    encryptionKey: "",
    importKey: undefined,
  };
  watched = new Signers(world, { threshold: 1, signers: [entry] }, [signer]);
  watched.start();
  return watched;
};

test("INV-5 a signer is live once it has shown its life, which its commands name", async () => {
  const signers = watching(serving(LIFE));
  expect(signers.live()).toEqual([]);
  await expect.poll(() => signers.live()).toEqual([index]);
  expect(signers.lives()).toEqual(new Map([[index, LIFE]]));
  const next = Buffer.alloc(16, 2);
  signers.noteLife(index, next);
  expect(signers.lives()).toEqual(new Map([[index, next]]));
});

test("INV-5 a signer that serves anew is asked at once, though an answer of the connection before is under way", async () => {
  const answers: (() => void)[] = [];
  let changed: (isServing: boolean) => void = () => undefined;
  const signer: Signer = {
    ...serving(LIFE),
    getStatus: () =>
      new Promise((resolve) => {
        answers.push(() => resolve(answers.length === 1 ? fail("ServiceUnavailable") : ok(STATUS)));
      }),
    watchHealth: (heard) => {
      changed = heard;
      heard(true);
      return { close: () => undefined };
    },
  };
  const signers = watching(signer, heldWorld);
  changed(false);
  changed(true);
  answers[0]?.();
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.();
  await expect.poll(() => signers.live()).toEqual([index]);
});

test("INV-5 a signer that shows no life, as one of an older version, is in no quorum", async () => {
  const signers = watching(serving(undefined));
  await expect.poll(() => signers.view().map(({ status }) => status?.id)).toEqual(["signer-1"]);
  expect([signers.live(), signers.lives()]).toEqual([[], new Map()]);
});

test("the lives of signers are those that they show; one that is away has none", async () => {
  const gone = { ...serving(LIFE), getStatus: away };
  expect(await livesOf([serving(LIFE)])).toEqual(new Map([[index, LIFE]]));
  expect(await livesOf([gone, serving(undefined)])).toEqual(new Map());
});
