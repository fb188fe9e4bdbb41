/** The top of the page, in Markdown: from a token to a transfer in five steps. */
export const QUICK_START = `Wallet custody and transfers. No process ever holds a whole key.

**Quick start.** On a laptop, \`conclave up\` (\`make up\` in a clone) prints a token, and everything below can be tried on this page.

1. **Authorize** (the button below): paste the token. Every request is sent with \`authorization: Bearer <token>\`.
2. **Create a wallet**: \`POST /wallets\`, *Try it out*, *Execute*. The signers generate its key together; the answer holds its \`id\` and its \`address\`.
3. **Fund it**: \`conclave fund <address> --network EthereumSepolia\` (in a clone \`make fund ADDRESS=<address> NETWORK=EthereumSepolia\`) pays coins out of the local chain's faucet. \`GET /wallets/{walletId}/assets\` shows them.
4. **Transfer**: \`POST /wallets/{walletId}/transfers\`. Amounts are digits in the smallest unit of the asset, in a string.
5. **Follow it**: \`GET /wallets/{walletId}/transfers/{transferId}\`, until it is \`Confirmed\`.

**Ids in examples** stand for things of your own. Where a request on this page still holds the id of an example, the page puts in the newest thing of that
kind, and shows what was sent. An example of one network is sent from the newest wallet there: make one first, and fund it. Where something ends by a request (delete, archive, abort, deactivate, …), put the id in yourself.

**Changes** may carry a signed user action, and must where the operator asks for it: see the section *User actions*.
**Errors** have one form; \`error.details.code\` stays the same, and [all codes](/docs/guides/errors) stand in one table.
**Lists** come in pages: \`limit\`, and \`paginationToken\` for the next one.

Guides: [policies](/docs/guides/policies), [people](/docs/guides/people), [webhooks](/docs/guides/webhooks), [chains](/docs/guides/chains),
[all operations in one table](/docs/guides/api), [errors](/docs/guides/errors), [terms](/docs/guides/glossary).`;
