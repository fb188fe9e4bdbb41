import { paramsEVM } from "@ethereumjs/evm";

type Prices = typeof paramsEVM;

/** Storage and other accounts cost the same whenever they are read, and no energy is given back. */
const STORAGE_READ = 50;
const ACCOUNT_READ = 40;
const STORAGE_CHANGE = 5_000;
const STORAGE_NEW = 20_000;

/**
 * The energy of operations: as in an EVM of Cancun, but for storage and calls, whose energy is the one of
 * TRON's machine.
 * @source java-tron, EnergyCost
 */
export const energyPrices = (): Prices => ({
  ...paramsEVM,
  2200: {
    ...paramsEVM[2200],
    sstoreSentryEIP2200Gas: 0,
    sstoreInitEIP2200Gas: STORAGE_NEW,
  },
  2929: {
    ...paramsEVM[2929],
    coldsloadGas: STORAGE_READ,
    warmstoragereadGas: STORAGE_READ,
    coldaccountaccessGas: ACCOUNT_READ,
    sstoreCleanEIP2200Gas: STORAGE_CHANGE,
    sstoreNoopEIP2200Gas: STORAGE_CHANGE,
    sstoreDirtyEIP2200Gas: STORAGE_CHANGE,
  },
});
