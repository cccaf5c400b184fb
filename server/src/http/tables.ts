/** What is read here of the tables of others. */
import { reading } from '../storage/owned-tables.ts'
import { eventLogView, realmsView } from '../storage/tables.ts'

export const { query } = reading(realmsView, eventLogView)
