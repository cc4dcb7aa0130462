package recount

const Block = recountBlock
