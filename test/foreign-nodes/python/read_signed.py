"""Reads signed transactions, one JSON object a line, with the chains' Python libraries, and prints each library's verdict.

The product is TypeScript; these libraries serve only as a second opinion on its bytes.
"""

import base64
import hashlib
import json
import sys
from importlib.metadata import PackageNotFoundError, version


def evm(given, signed):
    from eth_account import Account

    return Account.recover_transaction(signed) == given["sender"]


def solana(given, signed):
    from solders.transaction import VersionedTransaction

    transaction = VersionedTransaction.from_bytes(signed)
    payer = str(transaction.message.account_keys[0])
    return payer == given["sender"] and transaction.verify_with_results() == [True]


def stellar(given, signed):
    from stellar_sdk import Keypair, TransactionEnvelope

    envelope = TransactionEnvelope.from_xdr(base64.b64encode(signed).decode(), given["passphrase"])
    source = envelope.transaction.source.account_id
    # raises if the signature does not match these bytes
    Keypair.from_public_key(source).verify(envelope.hash(), envelope.signatures[0].signature)
    return source == given["sender"]


def xrpl(given, signed):
    from xrpl.core.binarycodec import decode, encode_for_signing
    from xrpl.core.keypairs import derive_classic_address, is_valid_message

    fields = decode(signed.hex().upper())
    signature, key = bytes.fromhex(fields.pop("TxnSignature")), fields["SigningPubKey"]
    message = bytes.fromhex(encode_for_signing(fields))
    return is_valid_message(message, signature, key) and derive_classic_address(key) == given["sender"]


def tron(given, signed):
    from tronpy.keys import Signature

    # a signed transaction consists of field 1, raw_data, and field 2, a signature of 65 bytes
    raw, signature = signed[:-67], signed[-65:]
    raw = raw[3 if raw[1] & 0x80 else 2 :]
    r, s, recovery = signature[:32], signature[32:64], signature[64]
    signer = Signature(r + s + bytes([recovery % 27])).recover_public_key_from_msg_hash(hashlib.sha256(raw).digest())
    return signer.to_base58check_address() == given["sender"]


def algorand(given, signed):
    from algosdk import encoding
    from nacl.signing import VerifyKey

    decoded = encoding.msgpack_decode(base64.b64encode(signed).decode())
    bare = base64.b64decode(encoding.msgpack_encode(decoded.transaction))
    # raises if the signature does not match these bytes
    VerifyKey(encoding.decode_address(given["sender"])).verify(b"TX" + bare, base64.b64decode(decoded.signature))
    return decoded.transaction.sender == given["sender"]


def bitcoin(given, signed):
    from bitcoin import SelectParams
    from bitcoin.core import CTransaction, Hash160
    from bitcoin.core.key import CPubKey
    from bitcoin.core.script import SIGHASH_ALL, SIGVERSION_WITNESS_V0, CScript, SignatureHash
    from bitcoin.wallet import P2WPKHBitcoinAddress

    SelectParams("mainnet")
    transaction = CTransaction.deserialize(signed)

    def is_signed(at, amount):
        signature, key = transaction.wit.vtxinwit[at].scriptWitness.stack
        code = CScript(b"\x76\xa9\x14" + Hash160(key) + b"\x88\xac")
        digest = SignatureHash(code, transaction, at, SIGHASH_ALL, amount, SIGVERSION_WITNESS_V0)
        owner = P2WPKHBitcoinAddress.from_bytes(0, Hash160(key))
        return CPubKey(key).verify(digest, signature[:-1]) and str(owner) == given["sender"]

    return all(is_signed(at, amount) for at, amount in enumerate(given["amounts"]))


READERS = {
    "Evm": ("eth-account", evm),
    "Solana": ("solders", solana),
    "Stellar": ("stellar-sdk", stellar),
    "Xrpl": ("xrpl-py", xrpl),
    "Tron": ("tronpy", tron),
    "Algorand": ("py-algorand-sdk", algorand),
    "Bitcoin": ("python-bitcoinlib", bitcoin),
}

for line in sys.stdin:
    given = json.loads(line)
    library, read = READERS[given["family"]]
    answer = {"library": library, "family": given["family"]}
    try:
        answer["version"] = version(library)
        answer["verified"] = read(given, bytes.fromhex(given["signed"]))
    except PackageNotFoundError:
        answer["version"] = None
    except Exception as error:  # any exception is the library's verdict on the bytes
        answer |= {"verified": False, "words": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer), flush=True)
