// make compose-test: the cluster in containers, as deploy/README.md has it, tried from outside and from inside. Needs a Docker engine and the
// ports 8080, 8081 and 8545; leaves nothing behind.
import { compose, imageBytes, whyNoEngine } from "./docker.ts";
import { FAULTS, OUTAGES } from "./faults.ts";
import { type Row, tableOf } from "./table.ts";
import { openPayer, type Payer } from "./transfers.ts";
import { tryContainment, tryZones } from "./zones.ts";

const MB = 1_000_000;
const IMAGES = ["signer", "gateway", "orchestrator", "cli"];

const tell = (words: string): void => void process.stderr.write(`compose-test: ${words}\n`);
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

/** Does something, and says how long it took or why it failed. */
const row = async (what: string, work: () => Promise<string>): Promise<Row> => {
  tell(what);
  try {
    return { what, isGood: true, found: await work() };
  } catch (error) {
    return { what, isGood: false, found: error instanceof Error ? error.message : String(error) };
  }
};

const tryFaults = async (payer: Payer): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  for (const { what, begin, end } of FAULTS) {
    const during = await row(`${what}: transfers go on`, async () => {
      await begin();
      return `confirmed after ${seconds(await payer.pay())}`;
    });
    await end();
    rows.push(during);
  }
  for (const { what, begin, end } of OUTAGES) {
    rows.push(
      await row(`${what}, and started again: transfers go on`, async () => {
        await begin();
        const backMs = await timed(end);
        return `healthy after ${seconds(backMs)}, confirmed after ${seconds(await payer.pay())}`;
      }),
    );
  }
  return rows;
};

const start = async (): Promise<readonly Row[]> => [
  await row("the images are built", async () =>
    seconds(await timed(() => compose("--profile", "operator", "build", "--quiet"))),
  ),
  await row("`provision` makes a cluster", async () =>
    seconds(await timed(() => compose("run", "--rm", "provision"))),
  ),
  await row("`up --wait` returns once the signers can sign", async () =>
    seconds(await timed(() => compose("up", "--detach", "--wait"))),
  ),
];

const tryCluster = async (): Promise<readonly Row[]> => {
  const payer = await openPayer();
  const first = await row("a transfer is confirmed", async () => seconds(await payer.pay()));
  const zones = [...(await tryZones()), ...(await tryContainment())];
  const faults = await tryFaults(payer);
  const counted = await row("every accepted transfer is confirmed", async () => {
    const { accepted, confirmed } = await payer.count();
    if (confirmed !== accepted) throw new Error(`${confirmed} of ${accepted}`);
    return `${confirmed} of ${accepted}`;
  });
  const refreshed = await row("`operator refresh` gives every signer new shares", async () =>
    seconds(await timed(() => compose("run", "--rm", "operator", "refresh", "--state", "/state"))),
  );
  const again = await row("a transfer is confirmed with them", async () => seconds(await payer.pay()));
  const stopped = await row("all stop", async () => seconds(await timed(() => compose("stop"))));
  const later = await row("`up --wait` on kept volumes", async () =>
    seconds(await timed(() => compose("up", "--detach", "--wait"))),
  );
  return [first, ...zones, ...faults, counted, refreshed, again, stopped, later];
};

const sizes = (): Promise<readonly Row[]> =>
  Promise.all(
    IMAGES.map((image) =>
      row(
        `size of conclave/${image}`,
        async () => `${Math.round((await imageBytes(`conclave/${image}`)) / MB)} MB`,
      ),
    ),
  );

const why = await whyNoEngine();
if (why !== undefined) {
  tell(`there is no Docker engine with Compose v2 to run containers with (${why}): install and start one`);
  process.exitCode = 2;
} else {
  await compose("down", "--volumes", "--remove-orphans");
  try {
    const started = await start();
    const tried = started.every(({ isGood }) => isGood)
      ? [...started, ...(await tryCluster()), ...(await sizes())]
      : started;
    process.stdout.write(`${tableOf(tried)}\n`);
    const bad = tried.filter(({ isGood }) => !isGood).length;
    tell(
      bad === 0
        ? `${tried.length} rows, all as they should be`
        : `${bad} of ${tried.length} rows are not as they should be`,
    );
    process.exitCode = bad === 0 ? 0 : 1;
  } finally {
    await compose("down", "--volumes", "--remove-orphans");
  }
}
