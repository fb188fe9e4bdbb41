// make compose-test: runs the cluster in containers, as in deploy/README.md, and tries it from outside and inside.
// Needs a Docker engine and the ports 8080, 8081 and 8545; leaves nothing behind.
import { tryBadInput } from "./bad-input.ts";
import { compose, imageBytes, whyNoEngine } from "./docker.ts";
import { payOn } from "./families.ts";
import { FAULTS, OUTAGES } from "./faults.ts";
import { tryOperators } from "./operators.ts";
import { PROFILES } from "./profiles.ts";
import { type Row, row, tableOf, timed } from "./table.ts";
import { openPayer, type Payer } from "./transfers.ts";
import { tryWeight } from "./weight.ts";
import { tryContainment, tryZones } from "./zones.ts";

const MB = 1_000_000;
const IMAGES = ["signer", "gateway", "orchestrator", "ledger", "cli"];

const say = (words: string): void => void process.stderr.write(`compose-test: ${words}\n`);
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

const tryFaults = async (payer: Payer): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  for (const { what, begin, end } of FAULTS) {
    rows.push(
      await row(`${what}: transfers go on`, async () => {
        try {
          await begin();
          return `confirmed after ${seconds(await payer.pay())}`;
        } finally {
          await end();
        }
      }),
    );
  }
  for (const { what, begin, end } of OUTAGES) {
    rows.push(
      await row(`${what}, and started again: transfers go on`, async () => {
        await begin();
        const back = await timed(end);
        return `healthy after ${back}, confirmed after ${seconds(await payer.pay())}`;
      }),
    );
  }
  return rows;
};

const start = async (): Promise<readonly Row[]> => [
  await row("the images are built", () =>
    timed(() => compose("--profile", "operator", "--profile", "Algorand", "build", "--quiet")),
  ),
  await row("`provision` makes a cluster", () => timed(() => compose("run", "--rm", "provision"))),
  await row("`up --wait` returns once the signers can sign", () =>
    timed(() => compose("up", "--detach", "--wait")),
  ),
];

const tryFamilies = async ({ api }: Payer): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  for (const network of PROFILES) {
    rows.push(
      await row(`on ${network} a wallet is made and funded, and its transfer confirmed`, () =>
        timed(() => payOn(api, network)),
      ),
    );
  }
  return rows;
};

const tryCluster = async (): Promise<readonly Row[]> => {
  const payer = await openPayer();
  const first = await row("a transfer is confirmed", async () => seconds(await payer.pay()));
  const families = await tryFamilies(payer);
  const zones = [...(await tryZones()), ...(await tryContainment())];
  const weight = await tryWeight(payer);
  const faults = await tryFaults(payer);
  const badInput = await tryBadInput();
  const operators = await tryOperators(payer);
  const counted = await row("every accepted transfer is confirmed", async () => {
    const { accepted, confirmed } = await payer.count();
    if (confirmed !== accepted) throw new Error(`${confirmed} of ${accepted}`);
    return `${confirmed} of ${accepted}`;
  });
  const stopped = await row("all stop", () => timed(() => compose("stop")));
  const later = await row("`up --wait` on kept volumes", () =>
    timed(() => compose("up", "--detach", "--wait")),
  );
  return [
    first,
    ...families,
    ...zones,
    ...weight,
    ...faults,
    ...badInput,
    ...operators,
    counted,
    stopped,
    later,
  ];
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

/** All profiles, because otherwise the volumes of services of other profiles would stay. */
const forget = (): Promise<string> => compose("--profile", "*", "down", "--volumes", "--remove-orphans");

const why = await whyNoEngine();
if (why !== undefined) {
  say(`there is no Docker engine with Compose v2 to run containers with (${why}): install and start one`);
  process.exitCode = 2;
} else {
  await forget();
  try {
    const started = await start();
    const tried = started.every(({ isGood }) => isGood)
      ? [...started, ...(await tryCluster()), ...(await sizes())]
      : started;
    process.stdout.write(`${tableOf(tried)}\n`);
    const bad = tried.filter(({ isGood }) => !isGood).length;
    say(
      bad === 0
        ? `${tried.length} rows, all as they should be`
        : `${bad} of ${tried.length} rows are not as they should be`,
    );
    process.exitCode = bad === 0 ? 0 : 1;
  } finally {
    await forget();
  }
}
