<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US" sourcelanguage="en_US">
<context>
    <name>farstate::desktop::StartFrom</name>
    <message numerus="yes">
        <source> + %Ln change(s)</source>
        <translation>
            <numerusform> + %Ln change</numerusform>
            <numerusform> + %Ln changes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>farstate::desktop::TopBar</name>
    <message numerus="yes">
        <source> · %Ln change(s)</source>
        <translation>
            <numerusform> · %Ln change</numerusform>
            <numerusform> · %Ln changes</numerusform>
        </translation>
    </message>
</context>
</TS>
