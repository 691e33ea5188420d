package sample

var Parse = parse
