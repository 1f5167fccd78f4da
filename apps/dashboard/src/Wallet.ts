import { useQuery } from "@tanstack/react-query"
import { run } from "./Query.ts"

/** The cache that holds the wallet. */
export const walletKey = ["wallet"] as const

/** The wallet of the account that is signed in. */
export const useWallet = () => useQuery({ queryKey: walletKey, queryFn: () => run((api) => api.wallet.read()) })
