/** Writes, parses and verifies sign-in messages (EIP-4361). */
import type { WalletMessage } from '../account/wallet.ts';

/** Writes, parses and verifies the messages that a wallet signs to sign in (EIP-4361). */
export interface WalletVerifier {
  /** Returns the text that the wallet signs; null if the wallet address or another field is not valid. */
  formatMessage(message: WalletMessage): Promise<string | null>;
  /** Reads the fields of a signed text; null if the text is not a valid sign-in message. */
  parseMessage(text: string): Promise<WalletMessage | null>;
  /** Returns true if the wallet at this address signed the text: with its key or, if a chain can be queried, as a contract. */
  verifySignature(text: string, signature: string, address: string): Promise<boolean>;
}
