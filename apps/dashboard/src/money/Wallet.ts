import { run } from "@sightline/dashboard/Query"
import { useQuery } from "@tanstack/react-query"

/** The query key of the wallet. */
export const walletKey = ["wallet"] as const

/** The wallet of the account that is signed in. */
export const useWallet = () => useQuery({ queryKey: walletKey, queryFn: () => run((api) => api.wallet.read()) })
